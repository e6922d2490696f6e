"""Uses torch's attention."""

CHANGES = [
    (
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
""",
        """    heads = F.scaled_dot_product_attention(query, key, value)
""",
    )
]
