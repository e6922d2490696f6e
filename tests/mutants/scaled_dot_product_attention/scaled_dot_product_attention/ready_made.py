"""Calls torch's attention."""

SAYS = "your code called"
CHANGES = [
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        "return torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask), weights",
    ),
]
