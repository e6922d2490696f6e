"""Returns the count."""

SAYS = "not divided by the number of pairs"
CHANGES = [
    ("return total / pairs", "return float(total)"),
]
