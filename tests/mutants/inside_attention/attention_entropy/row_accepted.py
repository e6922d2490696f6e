"""Accepts one row alone."""

SAYS = "one row"
SAME_AS = "no_validation"
CHANGES = [
    ("weights.dim() < 2 or ", ""),
]
