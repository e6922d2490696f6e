"""Keeps the encoding as an attribute."""

SAYS = "a plain attribute"
CHANGES = [
    (
        'self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))',
        "self.encoding = sinusoidal_encoding(max_length, d_model)",
    ),
]
