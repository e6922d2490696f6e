"""Asks whether the mask broadcasts, and not whether the result keeps its shape."""

SAYS = "more leading dimensions"
CHANGES = [
    (
        """== scores.shape
""",
        """is not None
""",
    ),
]
