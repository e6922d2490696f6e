"""Uses torch's softmax, which gives NaN for an empty row."""

SAYS = "the row is NaN"
CHANGES = [
    ("return softmax(scores)", "return torch.softmax(scores, -1)"),
]
