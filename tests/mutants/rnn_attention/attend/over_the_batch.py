"""Takes softmax over the batch."""

SAYS = "over the batch (dim 0)"
CHANGES = [
    (
        "scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=1",
        "scores.masked_fill(~mask & ~nothing, -math.inf).softmax(dim=0).nan_to_num(",
    ),
]
