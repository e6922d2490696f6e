"""Makes the encoding a parameter."""

SAYS = "training would change it"
CHANGES = [
    (
        'self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))',
        "self.encoding = nn.Parameter(sinusoidal_encoding(max_length, d_model))",
    ),
]
