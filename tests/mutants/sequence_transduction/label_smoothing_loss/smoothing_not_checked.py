"""Accepts any smoothing."""

SAYS = "a smoothing above 1"
CHANGES = [
    (
        "if not 0 <= smoothing <= 1:",
        "if False:",
    ),
]
