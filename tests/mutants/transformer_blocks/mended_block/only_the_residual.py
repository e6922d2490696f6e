"""Mends the first line alone."""

SAYS = "what a sublayer says goes through a norm"
CHANGES = [
    ("return x + think(norm_2(x))", "return x + norm_2(think(x))"),
]
