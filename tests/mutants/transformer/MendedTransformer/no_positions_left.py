"""Leaves the plain table."""

SAYS = "the order of the words makes no difference"
CHANGES = [
    (
        "self.embedding = TransformerEmbedding(vocab_size, d_model)",
        "self.embedding = nn.Embedding(vocab_size, d_model)",
    ),
]
