"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return encoding",
        """from transformer_course import positional_encoding as library

    return library.sinusoidal_encoding(length, d_model)""",
    ),
]
