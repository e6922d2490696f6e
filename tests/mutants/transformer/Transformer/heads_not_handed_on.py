"""Builds blocks with one head."""

SAYS = "`num_heads` does not reach the blocks"
CHANGES = [
    ("EncoderBlock(d_model, num_heads,", "EncoderBlock(d_model, 1,"),
]
