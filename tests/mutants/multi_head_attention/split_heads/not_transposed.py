"""Stops after the view."""

SAYS = "still stand behind the length"
CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "x.reshape(batch, length, num_heads, d_model // num_heads)",
    ),
]
