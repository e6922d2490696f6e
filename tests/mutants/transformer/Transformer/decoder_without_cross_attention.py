"""Builds the decoder of encoder blocks."""

SAYS = "made of encoder blocks"
CHANGES = [
    ("DecoderBlock(d_model", "EncoderBlock(d_model"),
]
