"""Returns one gradient."""

SAYS = "only one of the results"
CHANGES = [
    ("return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value", "return grad_value"),
]
