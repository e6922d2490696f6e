"""Maximises the loss."""

SAYS = "the loss has the wrong sign"
CHANGES = [
    ("loss.backward()", "(-loss).backward()"),
]
