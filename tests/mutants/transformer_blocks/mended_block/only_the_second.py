"""Mends the last line alone."""

SAYS = "starts from the normalised x"
CHANGES = [
    (
        "x = x + attend(norm_1(x))",
        """x = norm_1(x)
    x = x + attend(x)""",
    ),
]
