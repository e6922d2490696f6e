"""Compares with 0, whatever pad_id is."""

SAYS = "`pad_id` is not used"
CHANGES = [
    ("return (tokens != pad_id)[:, None, None, :]  # (batch, 1, 1, length)", "return (tokens != 0)[:, None, None, :]"),
]
