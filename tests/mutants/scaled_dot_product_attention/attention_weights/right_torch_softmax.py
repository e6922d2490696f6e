"""Uses torch's softmax, which this task allows."""

CHANGES = [
    ("return softmax(scores)", "return scores.softmax(-1)"),
]
