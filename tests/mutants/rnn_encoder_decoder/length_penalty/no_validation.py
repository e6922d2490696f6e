"""Accepts a negative length."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if length < 0:",
        "if False:",
    ),
]
