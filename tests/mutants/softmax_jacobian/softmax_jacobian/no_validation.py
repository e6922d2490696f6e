"""Computes with whatever comes."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if scale <= 0:", "if False:"),
]
