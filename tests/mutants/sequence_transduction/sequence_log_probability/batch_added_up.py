"""Adds up the whole batch."""

SAYS = "the sentences are added up too"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real, 0.0).sum()",
    ),
]
