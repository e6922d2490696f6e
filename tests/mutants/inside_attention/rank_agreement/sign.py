"""Counts the other way round."""

SAYS = "signs are the wrong way"
CHANGES = [
    ("total += (product > 0) - (product < 0)", "total += (product < 0) - (product > 0)"),
]
