"""Refuses odd widths."""

SAYS = "ValueError"
CHANGES = [
    ("d_model < 1:", "d_model < 1 or d_model % 2:"),
]
