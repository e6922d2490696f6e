"""Divides by the root before attention does it too."""

SAYS = "divided twice"
CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        "mixed, weights = scaled_dot_product_attention(queries / self.d_k**0.5, keys, values, mask)",
    ),
]
