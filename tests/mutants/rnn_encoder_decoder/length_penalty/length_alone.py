"""Divides by the length."""

SAYS = "another normalisation"
CHANGES = [
    (
        "return ((5 + length) / 6) ** alpha",
        "return float(length) ** alpha",
    ),
]
