"""Forgets the return."""

SAYS = "no `return`"
CHANGES = [
    ("return centred / ", "y = centred / "),
]
