"""Adds the identity to the weights in place."""

SAYS = "works in place"
CHANGES = [
    (
        "for attention in weights.mean(dim=1):  # (n, n), the first layer first",
        """with torch.no_grad():
        weights += identity
    for attention in weights.mean(dim=1):  # (n, n), the first layer first""",
    ),
    ("mixed = 0.5 * attention + 0.5 * identity", "mixed = attention"),
]
