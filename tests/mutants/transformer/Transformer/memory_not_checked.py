"""Does not compare memory and source."""

SAYS = "does not look at its arguments"
CHANGES = [
    ("if memory.shape[:2] != source.shape:", "if False:"),
]
