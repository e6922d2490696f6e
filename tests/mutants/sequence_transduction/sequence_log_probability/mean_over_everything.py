"""Averages over the padded length."""

SAYS = "divided by the padded length"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real, 0.0).mean(dim=-1)",
    ),
]
