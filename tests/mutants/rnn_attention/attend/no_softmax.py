"""Takes the scores for weights."""

SAYS = "softmax is missing"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = scores",
    ),
]
