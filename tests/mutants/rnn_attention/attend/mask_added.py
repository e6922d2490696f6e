"""Adds the mask as 0 and 1."""

SAYS = "itself is added to the scores"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = (scores + ~mask).softmax(dim=1)",
    ),
]
