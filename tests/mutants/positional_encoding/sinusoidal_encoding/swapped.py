"""Begins with the cosine."""

SAYS = "change places"
CHANGES = [
    ("encoding[:, 0::2] = angles.sin()", "encoding[:, 0::2] = angles.cos()"),
    ("encoding[:, 1::2] = angles.cos()[:, : d_model // 2]", "encoding[:, 1::2] = angles.sin()[:, : d_model // 2]"),
]
