"""Takes the tokens themselves for a mask."""

SAYS = "dtype torch.int64"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return (tokens * (tokens != pad_id))[:, None, None, :]",
    ),
]
