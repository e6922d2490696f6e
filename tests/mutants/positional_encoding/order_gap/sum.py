"""Adds the differences up."""

SAYS = "the sum"
CHANGES = [
    (".max()", ".sum()"),
]
