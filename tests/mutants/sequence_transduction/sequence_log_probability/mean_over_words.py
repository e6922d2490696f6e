"""Averages over the words of a sentence."""

SAYS = "the mean over the words"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1) / real.sum(dim=-1).clamp(min=1)",
    ),
]
