"""Ends one layer early."""

SAYS = "ends one layer early"
CHANGES = [
    (
        "for attention in weights.mean(dim=1):  # (n, n), the first layer first",
        "for attention in weights[:-1].mean(dim=1):",
    ),
]
