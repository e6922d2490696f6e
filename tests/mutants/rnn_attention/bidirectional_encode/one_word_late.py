"""Counts the words of the turned sentence from its length, not from its last word."""

SAYS = "the index of the turned words is `lengths - k`"
CHANGES = [
    (
        "mirrored = lengths.unsqueeze(1) - 1 - position",
        "mirrored = lengths.unsqueeze(1) - position",
    ),
]
