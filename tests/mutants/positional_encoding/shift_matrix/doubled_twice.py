"""Doubles an index that already goes in steps of two."""

SAYS = "doubled once more"
CHANGES = [
    ("angle = offset / 10_000 ** (column / d_model)", "angle = offset / 10_000 ** (2 * column / d_model)"),
]
