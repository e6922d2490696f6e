"""Leaves a mask that does not fit to torch."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("fits = False", "fits = True"),
]
