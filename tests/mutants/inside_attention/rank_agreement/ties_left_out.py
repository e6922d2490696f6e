"""Leaves ties out of the number of pairs."""

SAYS = "ties are left out"
CHANGES = [
    ("pairs += 1", "pairs += product != 0"),
    ("return total / pairs", "return total / max(pairs, 1)"),
]
