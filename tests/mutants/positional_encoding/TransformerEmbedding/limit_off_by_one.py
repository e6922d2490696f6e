"""Counts the last position as one too many."""

SAYS = "it raised ValueError"
CHANGES = [
    ("end > len", "end >= len"),
]
