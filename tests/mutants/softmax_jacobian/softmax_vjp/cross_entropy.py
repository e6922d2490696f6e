"""Knows p - y from the loss and takes it for the backward pass of softmax."""

SAYS = "short formula"
CHANGES = [
    ("return weights * (grad_weights - average)", "return weights - grad_weights"),
]
