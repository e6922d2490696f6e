"""Mends the order only."""

SAYS = "number of words is wrong"
CHANGES = [
    (
        "(4 + len(tokens))",
        "(5 + len(tokens))",
    ),
]
