"""Leaves it to torch to complain."""

SAYS = "RuntimeError"
CHANGES = [
    ("heads % groups != 0", "False"),
]
