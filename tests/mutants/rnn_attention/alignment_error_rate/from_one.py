"""Counts from 1."""

SAYS = "from 1; they count from 0"
CHANGES = [
    (
        "{(row, shares.index(max(shares))",
        "{(row + 1, shares.index(max(shares)) + 1",
    ),
]
