"""Leaves it to torch to complain."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("d_model < 1 or d_model % 2 != 0", "False"),
]
