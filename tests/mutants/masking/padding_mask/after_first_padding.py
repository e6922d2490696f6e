"""Hides everything after the first padding token."""

SAYS = "first padding token is hidden"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return ((tokens == pad_id).cumsum(1) == 0)[:, None, None, :]",
    ),
]
