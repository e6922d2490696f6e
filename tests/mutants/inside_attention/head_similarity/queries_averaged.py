"""Averages the queries before it compares."""

SAYS = "queries are averaged"
CHANGES = [
    ("flattened = weights.flatten(start_dim=2)  # (layers, heads, m * n)", "flattened = weights.mean(dim=2)"),
]
