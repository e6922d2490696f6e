"""Computes in float64 for precision and returns it."""

SAYS = "conversion"
CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        "return exponentials / total.masked_fill(total == 0, 1.0).double()",
    ),
]
