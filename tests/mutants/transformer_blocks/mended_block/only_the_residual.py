"""Mends the first line alone."""

SAYS = "a norm stands behind a sublayer"
CHANGES = [
    ("return x + think(norm_2(x))", "return x + norm_2(think(x))"),
]
