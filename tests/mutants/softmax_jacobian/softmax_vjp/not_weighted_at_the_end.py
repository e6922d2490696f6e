"""Forgets the factor p in front."""

SAYS = "not multiplied with the weights"
CHANGES = [
    ("return weights * (grad_weights - average)", "return grad_weights - average"),
]
