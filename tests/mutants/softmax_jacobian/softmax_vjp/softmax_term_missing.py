"""Multiplies the gradient with the weights and stops."""

SAYS = "the softmax term"
CHANGES = [
    ("return weights * (grad_weights - average)", "return weights * grad_weights"),
]
