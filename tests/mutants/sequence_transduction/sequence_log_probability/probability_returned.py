"""Returns the probability itself."""

SAYS = "between 0 and 1"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1).exp()",
    ),
]
