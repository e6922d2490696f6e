"""Adds a small number to the sum, to be safe from a division by zero."""

SAYS = "nearly right"
CHANGES = [
    ("total.masked_fill(total == 0, 1.0)", "(total + 1e-6)"),
]
