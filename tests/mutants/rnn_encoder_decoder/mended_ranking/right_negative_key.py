"""Sorts by the negative score."""

CHANGES = [
    (
        "key=lambda pair: pair[1], reverse=True",
        "key=lambda pair: -pair[1]",
    ),
]
