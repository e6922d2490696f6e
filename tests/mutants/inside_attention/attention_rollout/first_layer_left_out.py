"""Begins with the second layer."""

SAYS = "begins with the second layer"
CHANGES = [
    (
        "for attention in weights.mean(dim=1):  # (n, n), the first layer first",
        "for attention in weights[1:].mean(dim=1):",
    ),
]
