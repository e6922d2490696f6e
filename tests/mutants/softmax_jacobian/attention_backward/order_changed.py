"""Returns the gradients in the order in which they are found."""

SAYS = "come in another order"
CHANGES = [
    (
        "return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value",
        "return grad_value, grad_scores @ key, grad_scores.transpose(-2, -1) @ query",
    ),
]
