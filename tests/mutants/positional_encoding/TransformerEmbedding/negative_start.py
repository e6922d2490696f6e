"""Counts a negative start from the end."""

SAYS = "a negative start"
CHANGES = [
    ("start < 0 or end", "end"),
]
