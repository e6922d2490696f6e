"""Sums over the heads."""

SAYS = "heads are summed"
CHANGES = [
    ("for attention in weights.mean(dim=1):  # (n, n), the first layer first", "for attention in weights.sum(dim=1):"),
]
