"""Forgets the gain."""

SAYS = "not multiplied by weight"
CHANGES = [
    ("grad_output * weight", "grad_output"),
]
