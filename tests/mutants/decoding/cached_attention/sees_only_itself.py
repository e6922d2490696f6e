"""Caches everything, and reads none of it."""

SAYS = "sees only itself"
CHANGES = [
    (
        """    if cache is not None:
""",
        """    own = key, value
    if cache is not None:
""",
    ),
    (
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
""",
        """    heads, _ = scaled_dot_product_attention(query, *own)
""",
    ),
]
