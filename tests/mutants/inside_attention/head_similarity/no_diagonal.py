"""Leaves out the diagonal."""

SAYS = "comparison of a head with itself"
CHANGES = [
    (
        "return directions @ directions.transpose(-2, -1)  # (layers, heads, heads)",
        "return (directions @ directions.transpose(-2, -1)) * (1 - torch.eye(weights.shape[1], dtype=weights.dtype))",
    ),
]
