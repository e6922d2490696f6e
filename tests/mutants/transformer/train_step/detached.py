"""Cuts the loss off."""

SAYS = "it raised RuntimeError"
CHANGES = [
    ("loss.backward()", "loss.detach().backward()"),
]
