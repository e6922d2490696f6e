"""Counts multiplication and addition as two."""

SAYS = "counted as two"
CHANGES = [
    ("projections + products", "2 * (projections + products)"),
]
