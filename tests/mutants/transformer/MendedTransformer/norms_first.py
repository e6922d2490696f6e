"""Changes the order of the norms too."""

SAYS = "none of the mistakes that we know"
CHANGES = [
    ("EncoderBlock(d_model, num_heads, d_ff)", "EncoderBlock(d_model, num_heads, d_ff, norm_first=True)"),
]
