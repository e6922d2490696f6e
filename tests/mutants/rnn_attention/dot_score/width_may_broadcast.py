"""Compares the batches only."""

SAYS = "which would broadcast"
CHANGES = [
    (
        "keys[:, 0].shape != query.shape",
        "len(keys) != len(query)",
    ),
]
