"""Subtracts the average after the product."""

SAYS = "set brackets"
CHANGES = [
    ("return weights * (grad_weights - average)", "return weights * grad_weights - average"),
]
