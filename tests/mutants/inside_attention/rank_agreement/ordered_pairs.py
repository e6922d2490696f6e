"""Divides by the number of ordered pairs."""

SAYS = "number of ordered pairs"
CHANGES = [
    ("return total / pairs", "return total / (len(first) * (len(first) - 1))"),
]
