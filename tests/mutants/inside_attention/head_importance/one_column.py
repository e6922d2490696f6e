"""Zeroes one column."""

SAYS = "one single column"
CHANGES = [
    ("weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0", "weight[:, index] = 0.0"),
]
