"""Lets padding take part."""

SAYS = "padding adds to the sum"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.sum(dim=-1)",
    ),
]
