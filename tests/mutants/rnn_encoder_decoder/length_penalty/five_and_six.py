"""Exchanges 5 and 6."""

SAYS = "5 and 6 change places"
CHANGES = [
    (
        "return ((5 + length) / 6) ** alpha",
        "return ((6 + length) / 5) ** alpha",
    ),
]
