"""Compares raw sums across lengths."""

SAYS = "not divided by the length penalty"
CHANGES = [
    (
        "total / ((5 + length) / 6) ** alpha",
        "total",
    ),
]
