"""Returns columns for queries."""

SAYS = "dimensions are exchanged"
CHANGES = [
    ("return softmax(scores)", "return softmax(scores).transpose(-2, -1)"),
]
