"""Believes that small numbers fit into a smaller type."""

SAYS = "token ids, which are int64"
CHANGES = [
    (
        "dtype=torch.long",
        "dtype=torch.int32",
    ),
]
