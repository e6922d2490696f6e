"""Registers a buffer, and adds a copy of it that stays behind."""

SAYS = "has dtype"
CHANGES = [
    (
        'self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))',
        """self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))
        self.copy = sinusoidal_encoding(max_length, d_model)""",
    ),
    ("self.encoding[start:end]", "self.copy[start:end]"),
]
