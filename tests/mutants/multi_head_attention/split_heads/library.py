"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return x.view(batch, length, num_heads, d_model // num_heads).transpose(1, 2)",
        """from transformer_course import multi_head_attention as library

    return library.split_heads(x, num_heads)""",
    ),
]
