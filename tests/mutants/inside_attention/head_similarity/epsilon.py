"""Adds a small number to the length."""

SAYS = "epsilon"
CHANGES = [
    ("directions = flattened / lengths.masked_fill(lengths == 0, 1.0)", "directions = flattened / (lengths + 1e-6)"),
]
