"""Begins with the last layer."""

SAYS = "the last layer comes first"
CHANGES = [
    (
        "for attention in weights.mean(dim=1):  # (n, n), the first layer first",
        "for attention in weights.mean(dim=1).flip(0):",
    ),
]
