"""Turns the fraction."""

SAYS = "fraction is turned"
CHANGES = [
    (
        "return ((5 + length) / 6) ** alpha",
        "return (6 / (5 + length)) ** alpha",
    ),
]
