"""Subtracts the gradient from its average."""

SAYS = "every number has the wrong sign"
CHANGES = [
    ("return weights * (grad_weights - average)", "return weights * (average - grad_weights)"),
]
