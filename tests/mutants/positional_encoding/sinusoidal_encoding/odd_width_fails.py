"""Thinks of even widths only."""

SAYS = "RuntimeError"
CHANGES = [
    ("encoding[:, 1::2] = angles.cos()[:, : d_model // 2]", "encoding[:, 1::2] = angles.cos()"),
]
