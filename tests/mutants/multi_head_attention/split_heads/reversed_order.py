"""Counts the heads from the right."""

SAYS = "counted from the right"
CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2).flip(1)",
    ),
]
