"""Hides no padding in the encoder."""

SAYS = "no padding mask in the encoder"
CHANGES = [
    ("x = block(x, mask)", "x = block(x)"),
]
