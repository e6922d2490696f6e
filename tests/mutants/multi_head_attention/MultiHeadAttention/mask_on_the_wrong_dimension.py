"""Drops the dimension of the heads, so that a mask for each example becomes one for each head."""

SAYS = "examples are taken for heads"
CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        """one = mask.squeeze(1) if mask is not None and mask.dim() == 4 else mask
        mixed, weights = scaled_dot_product_attention(queries, keys, values, one)""",
    ),
]
