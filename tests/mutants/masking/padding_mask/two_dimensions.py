"""Leaves the broadcasting to others."""

SAYS = "no dimensions for heads and queries"
CHANGES = [
    ("return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)", "return tokens != pad_id"),
]
