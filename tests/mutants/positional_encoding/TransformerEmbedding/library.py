"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        'self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))',
        """from transformer_course.positional_encoding import sinusoidal_encoding as theirs

        self.register_buffer('encoding', theirs(max_length, d_model))""",
    ),
]
