"""Forgets the heads."""

SAYS = "the batch would meet the heads"
CHANGES = [
    ("return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)", "return (tokens != pad_id)[:, None, :]"),
]
