"""Does not transpose the gradient of the scores where the sizes allow it."""

SAYS = "gradient of the scores is not transposed"
CHANGES = [
    (
        "return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value",
        """turned = grad_scores if grad_scores.shape[-1] == grad_scores.shape[-2] else grad_scores.transpose(-2, -1)
    return grad_scores @ key, turned @ query, grad_value""",
    ),
]
