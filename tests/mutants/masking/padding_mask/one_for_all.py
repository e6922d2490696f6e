"""Makes one mask for the whole batch."""

SAYS = "all sentences have the same mask"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return (tokens != pad_id).any(0).expand(len(tokens), -1)[:, None, None, :]",
    ),
]
