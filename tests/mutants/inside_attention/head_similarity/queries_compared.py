"""Compares queries within each head."""

SAYS = "queries are compared"
CHANGES = [
    ("flattened = weights.flatten(start_dim=2)  # (layers, heads, m * n)", "flattened = weights"),
]
