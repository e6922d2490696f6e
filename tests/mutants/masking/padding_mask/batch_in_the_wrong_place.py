"""Puts the batch where the queries are."""

SAYS = "batch stands in the dimension"
CHANGES = [
    ("return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)", "return (tokens != pad_id)[None, None]"),
]
