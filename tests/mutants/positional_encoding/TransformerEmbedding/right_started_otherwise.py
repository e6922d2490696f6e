"""Draws the embeddings in a way of its own, and sets the row of padding to zero again."""

CHANGES = [
    (
        "self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)",
        """self.token = nn.Embedding(vocab_size, d_model, padding_idx=pad_id)
        nn.init.normal_(self.token.weight, std=d_model**-0.5)
        with torch.no_grad():
            self.token.weight[pad_id] = 0.0""",
    ),
]
