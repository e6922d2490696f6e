"""Compares neighbours only."""

SAYS = "only neighbours"
CHANGES = [
    ("for i in range(j):", "for i in range(max(j - 1, 0), j):"),
]
