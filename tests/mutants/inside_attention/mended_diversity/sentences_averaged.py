"""Averages the sentences first."""

SAYS = "sentences are still averaged"
CHANGES = [
    (
        "maps = weights.flatten(start_dim=2)  # (batch, heads, m * n)",
        "maps = weights.mean(dim=0, keepdim=True).flatten(start_dim=2)",
    ),
]
