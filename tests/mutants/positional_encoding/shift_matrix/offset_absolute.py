"""Moves forward for a negative offset too."""

SAYS = "it moves back"
CHANGES = [
    ("angle = offset / 10_000 ** (column / d_model)", "angle = abs(offset) / 10_000 ** (column / d_model)"),
]
