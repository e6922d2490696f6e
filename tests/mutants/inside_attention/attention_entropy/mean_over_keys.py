"""Takes the mean over the keys, not the sum."""

SAYS = "`mean` in the place"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return -(weights * logarithms).mean(dim=-1)"),
]
