"""Asks for a causal mask, because a decoder is causal."""

SAYS = "key 0"
CHANGES = [
    (
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
""",
        """    heads = F.scaled_dot_product_attention(query, key, value, is_causal=True)
""",
    )
]
