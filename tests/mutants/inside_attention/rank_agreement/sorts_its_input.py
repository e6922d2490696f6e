"""Sorts its input."""

SAYS = "changed one of its lists"
CHANGES = [
    (
        "total = pairs = 0",
        """first.sort()
    total = pairs = 0""",
    ),
]
