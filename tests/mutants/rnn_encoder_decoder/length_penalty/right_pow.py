"""Calls pow on floats."""

CHANGES = [
    (
        "return ((5 + length) / 6) ** alpha",
        "return pow((length + 5.0) / 6.0, alpha)",
    ),
]
