"""Stops after the exponential."""

SAYS = "not divided by their sum"
CHANGES = [
    ("return exponentials / total.masked_fill(total == 0, 1.0)", "return exponentials"),
]
