"""Believes that True hides, as in torch.nn.MultiheadAttention."""

SAYS = "turned around"
CHANGES = [
    (
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, mask)",
        "mixed, weights = scaled_dot_product_attention(queries, keys, values, None if mask is None else ~mask)",
    ),
]
