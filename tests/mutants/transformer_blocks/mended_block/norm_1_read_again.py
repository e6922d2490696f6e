"""Lets both sublayers read what the first norm has made."""

SAYS = "normalise x anew for each sublayer"
CHANGES = [
    (
        "x = x + attend(norm_1(x))",
        """y = norm_1(x)
    x = x + attend(y)""",
    ),
    ("return x + think(norm_2(x))", "return x + think(y)"),
]
