"""Attends to the earlier positions only."""

SAYS = "does not see itself"
CHANGES = [
    (
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
""",
        """    past = (key, value) if cache is None else cache
    heads, _ = scaled_dot_product_attention(query, *past)
""",
    )
]
