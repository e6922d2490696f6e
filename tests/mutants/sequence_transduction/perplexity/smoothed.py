"""Takes the smoothed loss of training."""

SAYS = "the loss is smoothed"
CHANGES = [
    (
        "    total",
        """    sizes = [(y != pad_id).sum().item() for _, y in batches]
    losses = [label_smoothing_loss(x, y, 0.1, pad_id).item() for x, y in batches]
    return math.exp(sum(s * x for s, x in zip(sizes, losses)) / sum(sizes))
    total""",
    ),
]
