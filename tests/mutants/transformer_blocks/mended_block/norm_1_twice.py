"""Uses the first norm twice."""

SAYS = "norm_1 is used twice"
CHANGES = [
    ("return x + think(norm_2(x))", "return x + think(norm_1(x))"),
]
