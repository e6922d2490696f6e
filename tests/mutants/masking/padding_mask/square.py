"""Writes out the dimension of the queries."""

SAYS = "those of another sentence"
CHANGES = [
    (
        "return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)",
        "return (tokens != pad_id)[:, None, None, :].expand(-1, 1, tokens.shape[1], -1)",
    ),
]
