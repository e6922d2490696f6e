"""Returns the outputs alone."""

SAYS = "only one of the results"
CHANGES = [
    (
        "return torch.cat(outputs, dim=1), hidden",
        "return torch.cat(outputs, dim=1)",
    ),
]
