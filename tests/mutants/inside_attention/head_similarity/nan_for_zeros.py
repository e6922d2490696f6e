"""Divides by a length of 0."""

SAYS = "0 / 0"
CHANGES = [
    ("directions = flattened / lengths.masked_fill(lengths == 0, 1.0)", "directions = flattened / lengths"),
]
