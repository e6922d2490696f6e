"""Hides padding from the decoder only."""

SAYS = "PAD at the end of the source moves"
SAME_AS = "padding_left"
CHANGES = [
    ("memory = block(memory, source_mask)", "memory = block(memory)"),
]
