"""Lets a mask make the result larger."""

SAYS = "a mask that is transposed"
CHANGES = [
    ("if not fits:", "if False:"),
]
