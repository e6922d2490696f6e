"""Copies the numbers out of the graph."""

SAYS = "no gradient flows"
CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "x.transpose(1, 2).flatten(2).detach()"),
]
