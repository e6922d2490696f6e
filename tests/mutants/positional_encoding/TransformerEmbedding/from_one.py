"""Adds the encoding of the next position."""

SAYS = "counted from 1"
CHANGES = [
    ("self.encoding[start:end]", "self.encoding.roll(-1, 0)[start:end]"),
]
