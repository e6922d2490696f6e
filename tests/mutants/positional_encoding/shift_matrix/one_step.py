"""Moves by one position, always."""

SAYS = "the offset is not used"
CHANGES = [
    ("angle = offset / 10_000 ** (column / d_model)", "angle = 1 / 10_000 ** (column / d_model)"),
]
