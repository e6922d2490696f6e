"""Turns every pair by the offset itself."""

SAYS = "a frequency of its own"
CHANGES = [
    ("angle = offset / 10_000 ** (column / d_model)", "angle = offset"),
]
