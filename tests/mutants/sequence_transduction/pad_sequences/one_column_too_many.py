"""Leaves room for one more token."""

SAYS = "one column of padding too many"
CHANGES = [
    (
        "default=0)",
        "default=0) + 1",
    ),
]
