"""Compares heads of different sentences too."""

SAYS = "different sentences are compared too"
CHANGES = [
    (
        "maps = weights.flatten(start_dim=2)  # (batch, heads, m * n)",
        """weights = weights.flatten(0, 1).unsqueeze(0)
    maps = weights.flatten(start_dim=2)  # (batch, heads, m * n)""",
    ),
]
