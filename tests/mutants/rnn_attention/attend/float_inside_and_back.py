"""Computes in float32 on the way."""

SAYS = "nearly right"
CHANGES = [
    (
        "scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0",
        """scores.float().masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)
    weights = weights.to(scores.dtype""",
    ),
]
