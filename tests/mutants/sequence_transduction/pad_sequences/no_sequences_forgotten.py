"""Has not thought of a batch without sequences."""

SAYS = "empty"
CHANGES = [
    (
        ", default=0)",
        ")",
    ),
]
