"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        """    complete = evaluate()
""",
        """    from transformer_course.inside_attention import head_importance as theirs

    return theirs(heads, evaluate)
    complete = evaluate()
""",
    ),
]
