"""Drops nothing where nothing is said."""

SAYS = "`dropout` is 0 where nothing is said"
CHANGES = [
    ("dropout: float = 0.1", "dropout: float = 0.0"),
]
