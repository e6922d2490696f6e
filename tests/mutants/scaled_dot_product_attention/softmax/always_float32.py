"""Converts to float32 and forgets to convert back."""

SAYS = "conversion"
CHANGES = [
    (
        "return exponentials / total.masked_fill(total == 0, 1.0)",
        "return exponentials / total.masked_fill(total == 0, 1.0).float()",
    ),
]
