"""Drops nothing in the blocks of the decoder."""

SAYS = "does not reach one of the embeddings"
SAME_AS = "dropout_not_at_the_embedding"
CHANGES = [
    ("DecoderBlock(d_model, num_heads, d_ff, dropout, norm_first", "DecoderBlock(d_model, num_heads, d_ff, norm_first"),
]
