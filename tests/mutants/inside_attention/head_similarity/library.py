"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "lengths = flattened.norm(dim=-1, keepdim=True)  # (layers, heads, 1)",
        """from transformer_course.inside_attention import head_similarity as theirs

    return theirs(weights)""",
    ),
]
