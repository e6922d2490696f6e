"""Hands the source over as memory."""

SAYS = "it raised"
CHANGES = [
    ("model.encode(source), target", "source, target"),
]
