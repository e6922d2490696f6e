"""Mends the scale, and takes the transpose of the end for the second fault."""

SAYS = "without the transpose"
CHANGES = [
    (
        "(x.reshape(batch, -1, num_heads, d_k).transpose(1, 2) for x in (query, key, value))",
        "(x.reshape(batch, num_heads, -1, d_k) for x in (query, key, value))",
    ),
    ("mixed.transpose(1, 2).reshape", "mixed.reshape"),
]
