"""Lets labels broadcast."""

SAYS = "labels for one sentence only"
CHANGES = [
    (
        "if labels.shape != logits.shape[:-1] or labels.dtype != torch.long:",
        """if labels.dim() == logits.dim() - 1 and labels.dtype == torch.long and labels.dim() and len(labels) == 1:
        labels = labels.expand(logits.shape[:-1])
    if labels.shape != logits.shape[:-1] or labels.dtype != torch.long:""",
    ),
]
