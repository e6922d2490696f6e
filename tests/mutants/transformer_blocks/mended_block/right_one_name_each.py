"""Gives every step a name of its own."""

CHANGES = [
    (
        "x = x + attend(norm_1(x))",
        """said = attend(norm_1(x))
    between = x + said""",
    ),
    (
        "return x + think(norm_2(x))",
        """read = norm_2(between)
    return between + think(read)""",
    ),
]
