"""Keeps the last mask."""

SAYS = "not all masks are used"
CHANGES = [
    ("combined = mask if combined is None else combined & mask", "combined = mask"),
]
