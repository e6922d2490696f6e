"""Compares sentences."""

SAYS = "sentences are compared"
CHANGES = [
    (
        "maps = weights.flatten(start_dim=2)  # (batch, heads, m * n)",
        """weights = weights.transpose(0, 1)
    maps = weights.flatten(start_dim=2)  # (batch, heads, m * n)""",
    ),
]
