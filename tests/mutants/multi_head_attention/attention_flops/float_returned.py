"""Divides with /."""

SAYS = "float"
CHANGES = [
    ("projections + products", "projections + products / 1"),
]
