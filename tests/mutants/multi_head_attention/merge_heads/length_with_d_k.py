"""Flattens the last two dimensions of x."""

SAYS = "the length and d_k become one"
CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "x.flatten(2)"),
]
