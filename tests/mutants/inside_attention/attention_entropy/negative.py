"""Forgets the minus sign."""

SAYS = "minus sign"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return (weights * logarithms).sum(dim=-1)"),
]
