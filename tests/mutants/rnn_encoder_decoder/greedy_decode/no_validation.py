"""Does not look at max_length."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if max_length < 0:",
        "if False:",
    ),
]
