"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return matrix",
        """from transformer_course import positional_encoding as library

    return library.shift_matrix(offset, d_model)""",
    ),
]
