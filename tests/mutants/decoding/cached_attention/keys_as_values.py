"""Mixes the keys."""

SAYS = "in the place of the values"
CHANGES = [
    (
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
""",
        """    heads, _ = scaled_dot_product_attention(query, key, key)
""",
    )
]
