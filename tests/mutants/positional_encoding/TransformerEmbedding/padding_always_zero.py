"""Takes 0 for the padding token, always."""

SAYS = "`padding_idx` is not given"
CHANGES = [
    ("padding_idx=pad_id", "padding_idx=0"),
]
