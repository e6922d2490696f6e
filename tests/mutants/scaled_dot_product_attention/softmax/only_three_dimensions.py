"""Counts dimensions from the front and so works for one number of dimensions."""

SAYS = "dimension or a position"
CHANGES = [
    ("exponentials.sum(dim=-1, keepdim=True)", "exponentials.sum(dim=2, keepdim=True)"),
]
