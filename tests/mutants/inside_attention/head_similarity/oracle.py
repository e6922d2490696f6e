"""Calls the right answer of the checks."""

SAYS = "remove the import"
CHANGES = [
    (
        "lengths = flattened.norm(dim=-1, keepdim=True)  # (layers, heads, 1)",
        """from transformer_course.checks.inside_attention import right_similarity

    return right_similarity(weights)""",
    ),
]
