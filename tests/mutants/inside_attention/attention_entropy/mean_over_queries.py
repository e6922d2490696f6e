"""Returns one number for each map."""

SAYS = "rows of a map are averaged"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return -(weights * logarithms).sum(dim=-1).mean(dim=-1)"),
]
