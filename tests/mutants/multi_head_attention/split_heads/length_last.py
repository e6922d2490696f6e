"""Puts the length last."""

SAYS = "the length and d_k change places"
CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2).transpose(2, 3)",
    ),
]
