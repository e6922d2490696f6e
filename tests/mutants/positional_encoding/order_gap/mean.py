"""Averages the differences."""

SAYS = "the mean"
CHANGES = [
    (".max()", ".mean()"),
]
