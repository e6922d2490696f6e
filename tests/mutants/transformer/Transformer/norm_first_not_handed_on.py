"""Forgets norm_first at the blocks of the decoder."""

SAYS = "`norm_first` does not reach the blocks"
CHANGES = [
    (
        "DecoderBlock(d_model, num_heads, d_ff, dropout, norm_first=norm_first)",
        "DecoderBlock(d_model, num_heads, d_ff, dropout)",
    ),
]
