"""Has no exponent."""

SAYS = "`alpha` is not used"
CHANGES = [
    (
        "return ((5 + length) / 6) ** alpha",
        "return (5 + length) / 6",
    ),
]
