"""Averages the heads."""

SAYS = "in the same way"
CHANGES = [
    ("x.transpose(1, 2).flatten(2)", "x.mean(1)"),
]
