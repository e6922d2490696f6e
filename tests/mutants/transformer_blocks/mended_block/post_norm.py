"""Turns it into a post-norm block."""

SAYS = "the other order"
CHANGES = [
    ("x = x + attend(norm_1(x))", "x = norm_1(x + attend(x))"),
    ("return x + think(norm_2(x))", "return norm_2(x + think(x))"),
]
