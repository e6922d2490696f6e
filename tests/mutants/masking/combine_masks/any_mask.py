"""Combines with or."""

SAYS = "in the place of `and`"
CHANGES = [
    (
        "combined = mask if combined is None else combined & mask",
        "combined = mask if combined is None else combined | mask",
    ),
]
