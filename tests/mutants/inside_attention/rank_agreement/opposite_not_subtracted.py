"""Counts the pairs that agree."""

SAYS = "not subtracted"
CHANGES = [
    ("total += (product > 0) - (product < 0)", "total += product > 0"),
]
