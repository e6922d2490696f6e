"""Accepts any state."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if len(tensor) != 1:",
        "if False:",
    ),
]
