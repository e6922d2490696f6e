"""Names the two new dimensions, and permutes."""

CHANGES = [
    (
        "x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        "x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3).contiguous()",
    ),
]
