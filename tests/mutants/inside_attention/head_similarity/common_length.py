"""Divides all heads of a layer by one length."""

SAYS = "one common length"
CHANGES = [
    (
        "lengths = flattened.norm(dim=-1, keepdim=True)  # (layers, heads, 1)",
        "lengths = flattened.norm(dim=(-2, -1), keepdim=True)",
    ),
]
