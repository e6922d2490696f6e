"""Stops before the sum."""

SAYS = "not added up"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real, 0.0)",
    ),
]
