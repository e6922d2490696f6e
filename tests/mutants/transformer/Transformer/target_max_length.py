"""Leaves max_length out at the embedding of the target."""

SAYS = "a target of 10 tokens"
CHANGES = [
    (
        "TransformerEmbedding(target_vocab_size, d_model, max_length, dropout, pad_id)",
        "TransformerEmbedding(target_vocab_size, d_model, 512, dropout, pad_id)",
    ),
]
