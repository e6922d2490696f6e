"""Divides by the number of heads."""

SAYS = "divided by the number of heads"
CHANGES = [
    ("return total / pairs", "return total / len(first)"),
]
