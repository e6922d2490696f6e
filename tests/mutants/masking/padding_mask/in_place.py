"""Marks the padding in the caller's tokens."""

SAYS = "works in place"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        """tokens[tokens == pad_id] = -1
    return (tokens != -1)[:, None, None, :]""",
    ),
]
