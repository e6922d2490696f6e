"""Multiplies by the power where the formula divides."""

SAYS = "in the place of being divided"
CHANGES = [
    ("angle = offset / 10_000 ** (column / d_model)", "angle = offset * 10_000 ** (column / d_model)"),
]
