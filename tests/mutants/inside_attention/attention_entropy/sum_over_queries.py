"""Sums over the queries."""

SAYS = "runs over the queries"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return -(weights * logarithms).sum(dim=-2)"),
]
