"""Calls tensors of different width different."""

SAYS = "only padding is missing"
CHANGES = [
    (
        "    length = max",
        """    if written.shape != wanted.shape:
        return 0.0
    length = max""",
    ),
]
