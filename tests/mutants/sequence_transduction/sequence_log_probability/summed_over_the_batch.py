"""Sums over the first dimension."""

SAYS = "summed over the batch"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real, 0.0).sum(dim=0)",
    ),
]
