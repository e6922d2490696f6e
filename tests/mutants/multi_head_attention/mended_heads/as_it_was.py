"""Copies the broken function."""

SAYS = "both faults"
CHANGES = [
    (
        "(x.reshape(batch, -1, num_heads, d_k).transpose(1, 2) for x in (query, key, value))",
        "(x.reshape(batch, num_heads, -1, d_k) for x in (query, key, value))",
    ),
    ("d_k**0.5", "d_model**0.5"),
]
