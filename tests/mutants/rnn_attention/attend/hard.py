"""Chooses the best word."""

SAYS = "gives no gradient"
CHANGES = [
    (
        "scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0",
        "F.one_hot(scores.masked_fill(~mask, -math.inf).argmax(dim=1), scores.shape[1]).to(scores.dtype",
    ),
]
