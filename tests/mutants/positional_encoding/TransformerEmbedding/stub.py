"""Has not begun."""

SAYS = "still holds its first version"
CHANGES = [
    (
        "        self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)",
        """        raise NotImplementedError
        self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)""",
    ),
]
