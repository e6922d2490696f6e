"""Applies the mask after softmax."""

SAYS = "the mask is applied after softmax"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = scores.softmax(dim=1) * mask",
    ),
]
