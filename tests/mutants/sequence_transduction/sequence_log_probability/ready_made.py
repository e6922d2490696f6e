"""Calls torch's cross entropy."""

SAYS = "your code called"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return -torch.nn.functional.cross_entropy(logits.mT, labels, ignore_index=pad_id, reduction='none').sum(-1)",
    ),
]
