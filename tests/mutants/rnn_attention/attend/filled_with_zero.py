"""Fills in 0."""

SAYS = "not small enough"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = scores.masked_fill(~mask, 0.0).softmax(dim=1)",
    ),
]
