"""Forgets that a tensor can have no dimension."""

SAYS = "a single number"
CHANGES = [
    ("x.dim() == 0 or ", ""),
]
