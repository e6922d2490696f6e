"""Returns None as soon as one mask is None."""

SAYS = "makes the whole result None"
CHANGES = [
    ("continue", "return None"),
]
