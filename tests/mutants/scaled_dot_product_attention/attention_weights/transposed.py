"""Returns columns for queries."""

SAYS = "a transpose too many"
CHANGES = [
    ("return softmax(scores)", "return softmax(scores).transpose(-2, -1)"),
]
