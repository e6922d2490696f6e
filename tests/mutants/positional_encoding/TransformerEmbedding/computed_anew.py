"""Computes the encoding in every call."""

SAYS = "computed anew"
CHANGES = [
    ('self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))', "self.max_length = max_length"),
    ("self.encoding[start:end]", "sinusoidal_encoding(end, embedded.shape[-1])[start:].to(embedded)"),
    ("end > len(self.encoding)", "end > self.max_length"),
    ("{len(self.encoding) - 1}", "{self.max_length - 1}"),
]
