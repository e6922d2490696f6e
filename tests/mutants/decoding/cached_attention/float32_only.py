"""Converts to float32."""

SAYS = "dtype"
CHANGES = [
    ("split_heads(projection(x), attention.num_heads)", "split_heads(projection(x), attention.num_heads).float()")
]
