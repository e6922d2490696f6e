"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value",
        """from transformer_course import softmax_jacobian as library

    return library.attention_backward(query, key, value, grad_output, scale)""",
    ),
]
