"""Forgets the memory."""

SAYS = "it raised TypeError"
CHANGES = [
    ("block(x) if memory is None else block(x, memory)", "block(x)"),
]
