"""Drops nothing in the embedding of the target."""

SAYS = "does not reach one of the embeddings"
CHANGES = [
    (
        "TransformerEmbedding(target_vocab_size, d_model, max_length, dropout, pad_id)",
        "TransformerEmbedding(target_vocab_size, d_model, max_length, 0.0, pad_id)",
    ),
]
