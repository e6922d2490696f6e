"""Joins all rows of a batch to one long row."""

SAYS = "dimension was summed away"
CHANGES = [
    ("weights = softmax(scores / scale)  # (..., n)", "weights = softmax(scores / scale).flatten()"),
]
