"""Divides by the root of the width of the model."""

SAYS = "divided by sqrt(d_model)"
CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        "mixed, weights = scaled_dot_product_attention(queries / self.num_heads**0.5, keys, values, mask)",
    ),
]
