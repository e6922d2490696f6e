"""Takes softmax of a row of -inf."""

SAYS = "give a row without any allowed word the scores 0 first"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = scores.masked_fill(~mask, -math.inf).softmax(dim=1)",
    ),
]
