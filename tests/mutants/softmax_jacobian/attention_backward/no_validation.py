"""Leaves it to torch to complain."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if scale <= 0:", "if False:"),
]
