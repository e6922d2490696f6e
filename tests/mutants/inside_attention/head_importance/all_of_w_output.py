"""Zeroes all of w_output."""

SAYS = "all of w_output"
CHANGES = [
    ("weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0", "weight[:] = 0.0"),
]
