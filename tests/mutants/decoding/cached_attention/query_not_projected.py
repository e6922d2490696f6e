"""Takes x itself as the query."""

SAYS = "query is x itself"
CHANGES = [
    (
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
""",
        """    query = split_heads(x, attention.num_heads)
    heads, _ = scaled_dot_product_attention(query, key, value)
""",
    )
]
