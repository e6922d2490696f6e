"""Fills in -1e9, which makes a row without anything allowed uniform."""

SAYS = "all weights of the row are equal"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = scores.masked_fill(~mask, -1e9).softmax(dim=1)",
    ),
]
