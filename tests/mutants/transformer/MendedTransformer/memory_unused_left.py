"""Leaves encoder blocks in the decoder."""

SAYS = "another source gives the same logits"
CHANGES = [
    ("DecoderBlock(d_model", "EncoderBlock(d_model"),
    ("x = block(x, memory, causal_mask(target.shape[1]), source_mask)", "x = block(x, causal_mask(target.shape[1]))"),
]
