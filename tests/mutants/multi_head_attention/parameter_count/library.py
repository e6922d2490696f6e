"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return 4 * d_model * (d_model + int(bias))",
        """from transformer_course.multi_head_attention import parameter_count as theirs

    return theirs(d_model, num_heads, bias)""",
    ),
]
