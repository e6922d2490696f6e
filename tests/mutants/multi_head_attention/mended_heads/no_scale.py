"""Leaves the division out."""

SAYS = "not divided at all"
CHANGES = [
    (" / d_k**0.5", ""),
]
