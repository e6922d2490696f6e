"""Combines with exclusive or."""

SAYS = "exclusive or"
CHANGES = [
    (
        "combined = mask if combined is None else combined & mask",
        "combined = mask if combined is None else combined ^ mask",
    ),
]
