"""Leaves it to torch to complain."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("length < 0 or d_model < 1", "False"),
]
