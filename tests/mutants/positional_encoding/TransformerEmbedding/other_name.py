"""Gives the embedding another name."""

SAYS = "another name than `token`"
CHANGES = [
    (
        "self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)",
        "self.tokens = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)",
    ),
    ("self.token(tokens)", "self.tokens(tokens)"),
]
