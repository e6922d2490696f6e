"""Leaves max_length out at the embedding of the source."""

SAYS = "it returned a result"
CHANGES = [
    (
        "TransformerEmbedding(source_vocab_size, d_model, max_length, dropout, pad_id)",
        "TransformerEmbedding(source_vocab_size, d_model, 512, dropout, pad_id)",
    ),
]
