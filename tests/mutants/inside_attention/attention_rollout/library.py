"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        """    rollout = identity
""",
        """    from transformer_course.inside_attention import attention_rollout as theirs

    return theirs(weights)
    rollout = identity
""",
    ),
]
