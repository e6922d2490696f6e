"""Returns the sums."""

SAYS = "not divided by the penalty"
CHANGES = [
    (
        "total / ((4 + len(tokens)) / 6) ** alpha",
        "total",
    ),
]
