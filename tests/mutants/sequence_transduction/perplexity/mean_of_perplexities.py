"""Averages the perplexities of the batches."""

SAYS = "the mean of the perplexities"
CHANGES = [
    (
        "    total",
        """    losses = [label_smoothing_loss(x, y, 0.0, pad_id).item() for x, y in batches]
    return sum(math.exp(loss) for loss in losses) / len(losses)
    total""",
    ),
]
