"""Undoes the division."""

SAYS = "not divided by sqrt(d_k)"
CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        "mixed, weights = scaled_dot_product_attention(queries * self.d_k**0.5, keys, values, mask)",
    ),
]
