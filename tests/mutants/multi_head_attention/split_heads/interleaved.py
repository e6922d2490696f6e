"""Cuts d_k groups of num_heads columns."""

SAYS = "interleaved"
CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "x.reshape(batch, length, d_model // num_heads, num_heads).permute(0, 3, 1, 2)",
    ),
]
