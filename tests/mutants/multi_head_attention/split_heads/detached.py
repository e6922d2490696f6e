"""Copies the numbers out of the graph."""

SAYS = "no gradient flows"
CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2).detach()",
    ),
]
