"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        """from transformer_course.scaled_dot_product_attention import softmax as theirs
    return theirs(scores)""",
    ),
]
