"""Uses sigmoid everywhere."""

SAYS = "between 0 and 1"
CHANGES = [
    (
        "torch.tanh",
        "torch.sigmoid",
    ),
]
