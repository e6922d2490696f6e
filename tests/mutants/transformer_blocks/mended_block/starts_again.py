"""Adds the second sublayer to the input."""

SAYS = "starts from the input"
CHANGES = [
    ("x = x + attend(norm_1(x))", "first = x + attend(norm_1(x))"),
    ("return x + think(norm_2(x))", "return x + think(norm_2(first))"),
]
