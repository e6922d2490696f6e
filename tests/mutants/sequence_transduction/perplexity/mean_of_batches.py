"""Averages the losses of the batches."""

SAYS = "the mean of the means"
CHANGES = [
    (
        "    total",
        """    losses = [label_smoothing_loss(x, y, 0.0, pad_id).item() for x, y in batches]
    return math.exp(sum(losses) / len(losses))
    total""",
    ),
]
