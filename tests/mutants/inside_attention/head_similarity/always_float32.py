"""Computes in float32."""

SAYS = "dtype"
CHANGES = [
    (
        "flattened = weights.flatten(start_dim=2)  # (layers, heads, m * n)",
        "flattened = weights.float().flatten(start_dim=2)",
    ),
]
