"""Goes through both sublayers in a loop."""

CHANGES = [
    (
        "x = x + attend(norm_1(x))",
        """for sublayer, norm in ((attend, norm_1), (think, norm_2)):
        x = sublayer(norm(x)) + x""",
    ),
    ("return x + think(norm_2(x))", "return x"),
]
