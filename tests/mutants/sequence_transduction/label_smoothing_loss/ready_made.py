"""Calls torch's cross entropy."""

SAYS = "your code called"
CHANGES = [
    (
        "return losses.sum() / (~padding).sum().clamp(min=1)",
        """logits, labels = logits.reshape(-1, vocab_size), labels.reshape(-1)
    return F.cross_entropy(logits, labels, ignore_index=pad_id, label_smoothing=smoothing)""",
    ),
]
