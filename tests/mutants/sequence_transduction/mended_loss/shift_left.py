"""Mends everything but the shift."""

SAYS = "just read"
CHANGES = [
    (
        "target[:, 1:]",
        "target[:, :-1]",
    ),
]
