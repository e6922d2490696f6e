"""Keeps the table, and adds positions itself."""

CHANGES = [
    (
        "self.embedding = TransformerEmbedding(vocab_size, d_model)",
        "self.embedding = nn.Embedding(vocab_size, d_model)",
    ),
    (
        """        source_mask = padding_mask(source)
        memory = self.embedding(source)
""",
        """        from transformer_course.positional_encoding import sinusoidal_encoding

        source_mask = padding_mask(source)
        width = self.output.in_features
        before = torch.get_default_dtype()
        torch.set_default_dtype(self.output.weight.dtype)
        positions = [sinusoidal_encoding(each.shape[1], width) for each in (source, target)]
        torch.set_default_dtype(before)
        memory = self.embedding(source) * width**0.5 + positions[0]
""",
    ),
    ("x = self.embedding(target)", "x = self.embedding(target) * width**0.5 + positions[1]"),
]
