"""Divides by the root of d_model."""

SAYS = "root of d_model"
CHANGES = [
    (
        """    heads, _ = scaled_dot_product_attention(query, key, value)  # (batch, heads, 1, d_k)
""",
        """    heads = torch.softmax(query @ key.mT / attention.d_model**0.5, -1) @ value
""",
    )
]
