"""Forgets to make one dimension of two."""

SAYS = "are still two"
CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "x.transpose(1, 2)"),
]
