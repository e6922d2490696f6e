"""Puts the length into the first dimension."""

SAYS = "stands in the first dimension"
CHANGES = [
    (
        "return torch.cat(outputs, dim=1), hidden",
        "return torch.cat(outputs, dim=1).transpose(0, 1), hidden",
    ),
]
