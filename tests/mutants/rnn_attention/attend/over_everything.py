"""Takes softmax over all numbers."""

SAYS = "over all elements"
CHANGES = [
    (
        "scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1",
        "scores.masked_fill(~mask & ~nothing, -math.inf).flatten().softmax(dim=0).view_as(scores",
    ),
]
