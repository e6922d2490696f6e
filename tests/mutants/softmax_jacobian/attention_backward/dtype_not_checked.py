"""Does not compare dtypes."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("or tensor.dtype != query.dtype:", ":"),
]
