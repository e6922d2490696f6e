"""Copies the function."""

SAYS = "goes through a norm; and"
CHANGES = [
    (
        "x = x + attend(norm_1(x))",
        """x = norm_1(x)
    x = x + attend(x)""",
    ),
    ("return x + think(norm_2(x))", "return x + norm_2(think(x))"),
]
