"""Hides no padding."""

SAYS = "PAD at the end of the source moves"
CHANGES = [
    ("source_mask = padding_mask(source)", "source_mask = None"),
]
