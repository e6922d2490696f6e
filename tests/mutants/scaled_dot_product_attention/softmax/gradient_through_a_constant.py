"""Cuts the sum off from the graph."""

SAYS = "cut off from the graph"
CHANGES = [
    ("exponentials.sum(dim=-1, keepdim=True)", "exponentials.sum(dim=-1, keepdim=True).detach()"),
]
