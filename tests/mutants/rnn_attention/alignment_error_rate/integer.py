"""Returns the integer 0 where there is nothing to align."""

SAYS = "a Python float"
CHANGES = [
    (
        "return 0.0",
        "return 0",
    ),
]
