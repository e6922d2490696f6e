"""Prints the result in the place of returning it."""

SAYS = "no `return`"
CHANGES = [
    ("return exponentials / total.masked_fill(total == 0, 1.0)", "print(exponentials / total)"),
]
