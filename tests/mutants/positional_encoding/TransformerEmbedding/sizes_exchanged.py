"""Gives nn.Embedding its sizes in the wrong order."""

SAYS = "change places"
CHANGES = [
    (
        "self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)",
        "self.token = nn.Embedding(d_model, vocab_size, padding_idx=pad_id)",
    ),
]
