"""Counts ties as disagreement."""

SAYS = "ties count as opposite"
CHANGES = [
    ("total += (product > 0) - (product < 0)", "total += 1 if product > 0 else -1"),
]
