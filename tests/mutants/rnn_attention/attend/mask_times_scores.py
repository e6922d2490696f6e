"""Multiplies the mask into the scores."""

SAYS = "multiplied into the scores"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = (scores * mask).softmax(dim=1)",
    ),
]
