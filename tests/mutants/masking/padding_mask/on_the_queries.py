"""Keeps padding from asking, not from being asked."""

SAYS = "could not ask"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return (tokens != pad_id)[:, None, :, None]",
    ),
]
