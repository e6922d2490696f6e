"""Divides by the square of the number of heads."""

SAYS = "square of the number of heads"
CHANGES = [
    ("return total / pairs", "return 2 * total / len(first) ** 2"),
]
