"""Mends the last line alone."""

SAYS = "the path of x itself"
CHANGES = [
    (
        "x = x + attend(norm_1(x))",
        """x = norm_1(x)
    x = x + attend(x)""",
    ),
]
