"""Adds the encoding to the second run alone."""

SAYS = "added only once"
CHANGES = [
    ("first + encoding", "first"),
]
