"""Converts to float32 and forgets to convert back."""

SAYS = "conversion"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1).float()",
    ),
]
