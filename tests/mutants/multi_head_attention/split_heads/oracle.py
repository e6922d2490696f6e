"""Calls the right answer that the checks compare with."""

SAYS = "remove the import"
CHANGES = [
    (
        "return x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "return checks.right_split(x, num_heads)",
    ),
]
