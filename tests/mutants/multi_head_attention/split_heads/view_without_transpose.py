"""Believes that view brings the heads to the front."""

SAYS = "the transpose is missing"
CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "x.reshape(batch, num_heads, length, d_model // num_heads)",
    ),
]
