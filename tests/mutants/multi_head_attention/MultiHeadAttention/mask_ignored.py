"""Takes a mask and does nothing with it."""

SAYS = "mask is not used"
CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        "mixed, weights = scaled_dot_product_attention(queries, keys, values)",
    ),
]
