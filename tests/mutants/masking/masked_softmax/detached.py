"""Returns a copy without a graph."""

SAYS = "`.detach()`"
CHANGES = [
    ("return softmax(scores)", "return softmax(scores).detach()"),
]
