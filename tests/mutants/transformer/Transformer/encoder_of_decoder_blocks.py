"""Builds the encoder of decoder blocks."""

SAYS = "made of decoder blocks"
CHANGES = [
    ("EncoderBlock(d_model", "DecoderBlock(d_model"),
]
