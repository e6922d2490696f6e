"""Leaves it to torch to complain."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if not isinstance(length, int) or length < 0:", "if False:"),
]
