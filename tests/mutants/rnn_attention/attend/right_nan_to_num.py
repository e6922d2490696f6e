"""Repairs the NaN of a row whose scores were all replaced, so that no gradient flows there."""

CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        "weights = scores.masked_fill(~mask, -math.inf).softmax(dim=1).nan_to_num()",
    ),
]
