"""Counts BOS as a word."""

SAYS = "BOS is counted"
CHANGES = [
    (
        "((5 + length)",
        "((6 + length)",
    ),
]
