"""Keeps the dimension of the keys."""

SAYS = "keepdim=True"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return -(weights * logarithms).sum(dim=-1, keepdim=True)"),
]
