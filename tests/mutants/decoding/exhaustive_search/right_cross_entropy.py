"""Lets cross entropy leave out the padding."""

CHANGES = [
    (
        """    chosen = logits.log_softmax(dim=-1).gather(2, labels.unsqueeze(2)).squeeze(2)  # (sentences, max_length)
    scores = chosen.masked_fill(labels == PAD, 0.0).sum(dim=1)
""",
        """    scores = -F.cross_entropy(logits.mT, labels, ignore_index=PAD, reduction="none").sum(dim=1)
""",
    )
]
