"""Thinks before it attends."""

SAYS = "attend comes first"
CHANGES = [
    ("x = x + attend(norm_1(x))", "x = x + think(norm_1(x))"),
    ("return x + think(norm_2(x))", "return x + attend(norm_2(x))"),
]
