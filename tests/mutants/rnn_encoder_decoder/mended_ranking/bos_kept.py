"""Leaves BOS in the tokens, in the same way a beam keeps it."""

SAYS = "BOS is part of"
CHANGES = [
    (
        "(tokens[1:],",
        "(tokens,",
    ),
]
