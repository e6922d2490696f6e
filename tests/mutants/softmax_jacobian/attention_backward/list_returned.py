"""Returns a list."""

SAYS = "a list of 3"
CHANGES = [
    (
        "return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value",
        "return [grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value]",
    ),
]
