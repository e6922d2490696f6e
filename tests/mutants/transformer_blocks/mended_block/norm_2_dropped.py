"""Removes the second norm."""

SAYS = "norm_2 is not used"
CHANGES = [
    ("return x + think(norm_2(x))", "return x + think(x)"),
]
