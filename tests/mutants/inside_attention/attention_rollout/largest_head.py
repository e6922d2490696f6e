"""Takes the largest of the heads."""

SAYS = "largest of the heads"
CHANGES = [
    ("for attention in weights.mean(dim=1):  # (n, n), the first layer first", "for attention in weights.amax(dim=1):"),
]
