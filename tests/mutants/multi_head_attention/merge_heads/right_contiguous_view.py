"""Brings the numbers into order, then views them."""

CHANGES = [
    (
        "return x.transpose(1, 2).flatten(2)",
        """batch, heads, length, d_k = x.shape
    return x.permute(0, 2, 1, 3).contiguous().view(batch, length, heads * d_k)""",
    ),
]
