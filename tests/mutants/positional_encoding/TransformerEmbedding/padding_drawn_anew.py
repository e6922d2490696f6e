"""Draws all rows anew, that of padding too."""

SAYS = "drawn anew"
SAME_AS = "no_padding"
CHANGES = [
    (
        "self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)",
        """self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        nn.init.normal_(self.token.weight)""",
    ),
]
