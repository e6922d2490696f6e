"""Looks up in a table that is scaled first, with a dimension for the batch in the buffer."""

CHANGES = [
    (
        'self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))',
        'self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model)[None])',
    ),
    ("end > len(self.encoding)", "end > self.encoding.shape[1]"),
    ("{len(self.encoding) - 1}", "{self.encoding.shape[1] - 1}"),
    ("self.encoding[start:end]", "self.encoding[:, start:end]"),
    ("embedded * math.sqrt(embedded.shape[-1])", "embedded * embedded.shape[-1] ** 0.5"),
]
