"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        """from transformer_course.inside_attention import attention_entropy as theirs

    return theirs(weights)""",
    ),
]
