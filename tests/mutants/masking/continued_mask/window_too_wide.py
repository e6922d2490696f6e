"""Counts the window without the position itself."""

SAYS = "not right"
CHANGES = [
    ("query - key < window", "query - key <= window"),
]
