"""Believes that there must be a position."""

SAYS = "it raised ValueError"
CHANGES = [
    ("length < 0", "length < 1"),
]
