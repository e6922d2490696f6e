"""Takes the weights of the plain scores."""

SAYS = "not divided by scale before softmax"
CHANGES = [
    ("weights = softmax(scores / scale)  # (..., n)", "weights = softmax(scores)"),
]
