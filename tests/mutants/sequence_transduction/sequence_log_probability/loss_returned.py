"""Returns the negative: what a loss would be."""

SAYS = "all signs are turned"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return -of_labels.masked_fill(~real, 0.0).sum(dim=-1)",
    ),
]
