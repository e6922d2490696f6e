"""Multiplies out the brackets."""

CHANGES = [
    ("return weights * (grad_weights - average)", "return weights * grad_weights - weights * average"),
]
