"""Flattens heads and d_k in front of the length."""

SAYS = "the length stands last"
CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "x.transpose(2, 3).flatten(1, 2)"),
]
