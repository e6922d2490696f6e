"""Ties target embedding and output layer only."""

SAYS = "`tie_weights` is not used for these two"
CHANGES = [
    ("if source_vocab_size == target_vocab_size:", "if False:"),
]
