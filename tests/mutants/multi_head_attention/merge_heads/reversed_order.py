"""Glues from the last head to the first."""

SAYS = "glued from the last"
CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "x.flip(1).transpose(1, 2).flatten(2)"),
]
