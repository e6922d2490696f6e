"""Takes steps so large that the loss jumps about."""

SAYS = "jumps about"
CHANGES = [
    (
        "lr=0.1",
        "lr=30.0",
    ),
]
