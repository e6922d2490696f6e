"""Does not divide the scores."""

SAYS = "not divided"
CHANGES = [
    (
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
""",
        """    heads = torch.softmax(query @ key.mT, -1) @ value
""",
    )
]
