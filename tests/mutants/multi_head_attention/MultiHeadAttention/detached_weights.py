"""Cuts the weights off, as if they were constants."""

SAYS = "reaches w_query"
CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        """mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)
        mixed = weights.detach() @ values""",
    ),
]
