"""Adds a table of another base."""

SAYS = "go back to the check of task 1"
CHANGES = [
    (
        'self.register_buffer("encoding", sinusoidal_encoding(max_length, d_model))',
        """table = sinusoidal_encoding(max_length, d_model).cumsum(0)
        self.register_buffer("encoding", table)""",
    ),
]
