"""Calls the course's library."""

SAYS = "remove the import"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        """from transformer_course import masking as library

    return library.padding_mask(tokens, pad_id)""",
    ),
]
