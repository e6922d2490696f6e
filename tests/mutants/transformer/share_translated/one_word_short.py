"""Writes a word too few."""

SAYS = "it raised"
CHANGES = [
    ("range(labels.shape[1])", "range(labels.shape[1] - 1)"),
]
