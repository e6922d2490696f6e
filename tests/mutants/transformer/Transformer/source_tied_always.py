"""Ties the source embedding to another vocabulary too."""

SAYS = "by one of another size"
CHANGES = [
    ("if source_vocab_size == target_vocab_size:", "if True:"),
]
