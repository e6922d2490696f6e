"""Takes the scaled scores for the weights."""

SAYS = "softmax is missing"
CHANGES = [
    ("return softmax(scores)", "return scores"),
]
