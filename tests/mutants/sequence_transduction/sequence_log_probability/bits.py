"""Uses the logarithm with base 2."""

SAYS = "base 2"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1) / math.log(2)",
    ),
]
