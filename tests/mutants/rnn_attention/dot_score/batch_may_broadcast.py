"""Compares the widths only."""

SAYS = "which would broadcast"
CHANGES = [
    (
        "keys[:, 0].shape != query.shape",
        "keys.shape[2] != query.shape[1]",
    ),
]
