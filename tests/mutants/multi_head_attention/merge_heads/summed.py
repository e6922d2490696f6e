"""Adds the heads up."""

SAYS = "in the same way"
CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "x.sum(1)"),
]
