"""Averages the layers, and follows the heads."""

SAYS = "places of layers and heads"
CHANGES = [
    ("for attention in weights.mean(dim=1):  # (n, n), the first layer first", "for attention in weights.mean(dim=0):"),
]
