"""Lets the encoding move with the words."""

SAYS = "belongs to the places"
CHANGES = [
    ("second + encoding", "second + encoding[order]"),
]
