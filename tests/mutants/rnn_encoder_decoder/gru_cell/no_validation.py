"""Lets shapes broadcast."""

SAYS = "does not look at its arguments"
CHANGES = [
    (
        "if tensor.shape != shape:",
        "if False:",
    ),
]
