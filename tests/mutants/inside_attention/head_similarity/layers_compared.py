"""Compares layers."""

SAYS = "layers are compared"
CHANGES = [
    ("flattened = weights.flatten(start_dim=2)  # (layers, heads, m * n)", "flattened = weights.flatten(start_dim=1)"),
]
