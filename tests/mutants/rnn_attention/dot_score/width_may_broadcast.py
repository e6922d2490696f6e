"""Compares the batches only."""

SAYS = "which would broadcast"
CHANGES = [
    (
        " or keys.shape[2] != query.shape[1]",
        "",
    ),
]
