"""Fills every column with sines."""

SAYS = "sines only"
CHANGES = [
    ("encoding[:, 1::2] = angles.cos()[:, : d_model // 2]", "encoding[:, 1::2] = angles.sin()[:, : d_model // 2]"),
]
