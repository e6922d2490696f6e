"""Accepts integers."""

SAYS = "maps of integers"
CHANGES = [
    (" or not weights.is_floating_point()", ""),
]
