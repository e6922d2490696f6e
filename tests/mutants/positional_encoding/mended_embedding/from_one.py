"""Adds the encoding of the next position."""

SAYS = "counted from 1"
CHANGES = [
    ("positions = encoding[: tokens.shape[1]]", "positions = encoding[1 : tokens.shape[1] + 1]"),
]
