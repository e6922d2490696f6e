"""Returns a copy without a graph."""

SAYS = "`.detach()`"
CHANGES = [
    (
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1)  # (batch,)",
        "return of_labels.masked_fill(~real, 0.0).sum(dim=-1).detach()",
    ),
]
