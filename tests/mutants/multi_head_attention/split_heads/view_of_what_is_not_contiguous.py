"""Flattens with view, which needs numbers that lie in order."""

SAYS = "not contiguous"
CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "x.view(-1).reshape(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
    ),
]
