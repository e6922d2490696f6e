"""Inherits from the library's class."""

SAYS = "remove the import"
CHANGES = [
    (
        "        mixed, weights = scaled",
        """        from transformer_course import multi_head_attention as library

        library.split_heads(query, 1)
        mixed, weights = scaled""",
    ),
    ("class MultiHeadAttention(nn.Module):", "class MultiHeadAttention(nn.Module):"),
]
