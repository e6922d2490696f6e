"""Turns the old cache to zeros when it is no longer needed."""

SAYS = "the cache that came in was changed"
CHANGES = [
    (
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
""",
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
    for part in cache or ():
        part.detach().zero_()
""",
    )
]
