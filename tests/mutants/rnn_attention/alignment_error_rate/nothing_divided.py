"""Divides 0 by 0."""

SAYS = "ZeroDivisionError"
CHANGES = [
    (
        "if not links and not sure:",
        "if False:",
    ),
]
