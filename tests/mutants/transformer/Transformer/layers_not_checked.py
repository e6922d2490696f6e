"""Builds no layers where a negative number is asked for."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if number < 0:", "if False:"),
]
