"""Believes that EOS is not part of the sentence."""

SAYS = "EOS is left out"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real | (labels == EOS), 0.0).sum(dim=-1)",
    ),
]
