"""Makes heads of width num_heads."""

SAYS = "num_heads and d_k change places"
CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "x.reshape(batch, length, d_model // num_heads, num_heads).transpose(1, 2)",
    ),
]
