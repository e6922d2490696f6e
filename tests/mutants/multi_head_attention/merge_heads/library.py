"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return x.transpose(1, 2).flatten(2)",
        """from transformer_course.multi_head_attention import merge_heads as theirs

    return theirs(x)""",
    ),
]
