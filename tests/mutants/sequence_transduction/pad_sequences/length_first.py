"""Puts the length into the first dimension, as torch does by default."""

SAYS = "the batch comes first"
CHANGES = [
    (
        "return padded",
        "return padded.T",
    ),
]
