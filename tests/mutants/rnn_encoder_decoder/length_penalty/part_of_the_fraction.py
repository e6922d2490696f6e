"""Forgets a parenthesis."""

SAYS = "a part of the fraction"
CHANGES = [
    (
        "return ((5 + length) / 6) ** alpha",
        "return (5 + length) ** alpha / 6",
    ),
]
