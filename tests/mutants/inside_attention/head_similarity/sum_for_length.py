"""Divides by the sum of the weights."""

SAYS = "sum of weights"
CHANGES = [
    (
        "lengths = flattened.norm(dim=-1, keepdim=True)  # (layers, heads, 1)",
        "lengths = flattened.sum(dim=-1, keepdim=True)",
    ),
]
