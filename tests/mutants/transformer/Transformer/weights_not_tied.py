"""Ignores tie_weights."""

SAYS = "`tie_weights` is not used for these two"
CHANGES = [
    ("if tie_weights:", "if False:"),
]
