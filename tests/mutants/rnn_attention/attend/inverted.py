"""Hides what is allowed."""

SAYS = "the wrong way round"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = scores.masked_fill(mask & ~mask.all(), -math.inf).softmax(dim=1)",
    ),
]
