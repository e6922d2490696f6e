"""Changes the order of the norms too."""

SAYS = "stand in the other order"
CHANGES = [
    ("EncoderBlock(d_model, num_heads, d_ff)", "EncoderBlock(d_model, num_heads, d_ff, norm_first=True)"),
]
