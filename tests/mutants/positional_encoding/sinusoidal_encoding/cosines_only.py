"""Fills every column with cosines."""

SAYS = "cosines only"
CHANGES = [
    ("encoding[:, 0::2] = angles.sin()", "encoding[:, 0::2] = angles.cos()"),
]
