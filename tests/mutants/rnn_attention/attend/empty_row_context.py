"""Computes the context before the empty row is repaired."""

SAYS = "computed before the weights are set to 0"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        """weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1)
    context = (weights.unsqueeze(1) @ values).squeeze(1)
    return context, weights.masked_fill(nothing, 0.0)""",
    ),
]
