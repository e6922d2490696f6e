"""Leaves out the sum."""

SAYS = "sum over the keys is missing"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return -(weights * logarithms)"),
]
