"""Takes the scaled scores for the weights."""

SAYS = "softmax is missing"
CHANGES = [
    ("weights = softmax(scores)", "weights = scores"),
]
