"""Averages the heads."""

SAYS = "heads are averaged"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return -(weights * logarithms).sum(dim=-1).mean(dim=1)"),
]
