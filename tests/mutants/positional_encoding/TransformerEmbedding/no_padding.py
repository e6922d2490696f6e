"""Forgets padding_idx."""

SAYS = "`padding_idx` is not given"
CHANGES = [
    (", padding_idx=pad_id", ""),
]
