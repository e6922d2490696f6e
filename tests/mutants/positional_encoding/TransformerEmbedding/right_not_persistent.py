"""Keeps the buffer out of the state dictionary, and computes positions one by one."""

CHANGES = [
    (
        'self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))',
        'self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model), persistent=False)',
    ),
    ("self.encoding[start:end]", "self.encoding[torch.arange(start, end)]"),
]
