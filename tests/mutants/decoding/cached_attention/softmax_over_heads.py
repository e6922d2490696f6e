"""Normalises over the heads."""

SAYS = "over the heads"
CHANGES = [
    (
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
""",
        """    heads = torch.softmax(query @ key.mT / attention.d_k**0.5, 1) @ value
""",
    )
]
