"""Leaves pad_id out at the embeddings."""

SAYS = "token.weight"
CHANGES = [
    (
        "TransformerEmbedding(source_vocab_size, d_model, max_length, dropout, pad_id)",
        "TransformerEmbedding(source_vocab_size, d_model, max_length, dropout)",
    ),
]
