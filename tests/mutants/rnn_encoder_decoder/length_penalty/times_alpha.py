"""Multiplies with alpha."""

SAYS = "it is an exponent"
CHANGES = [
    (
        "return ((5 + length) / 6) ** alpha",
        "return (5 + length) / 6 * alpha",
    ),
]
