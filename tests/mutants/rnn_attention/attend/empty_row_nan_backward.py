"""Repairs the NaN of the result, not that of the gradient."""

SAYS = "holds NaN"
CHANGES = [
    (
        "weights = scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1).masked_fill(nothing, 0.0)",
        """hide = torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    weights = (scores + hide).softmax(dim=1).nan_to_num()""",
    ),
]
