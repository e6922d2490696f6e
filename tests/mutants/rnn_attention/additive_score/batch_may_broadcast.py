"""Does not compare the batches."""

SAYS = "which would broadcast"
CHANGES = [
    (
        "keys.dim() != 3 or len(keys) != len(query)",
        "keys.dim() != 3",
    ),
]
