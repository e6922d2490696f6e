"""Averages each sentence, and then the sentences."""

SAYS = "the mean of the means"
CHANGES = [
    (
        "return losses.sum() / (~padding).sum().clamp(min=1)",
        """if losses.dim() < 2:
        return losses.sum() / (~padding).sum().clamp(min=1)
    return (losses.sum(dim=-1) / (~padding).sum(dim=-1).clamp(min=1)).mean()""",
    ),
]
