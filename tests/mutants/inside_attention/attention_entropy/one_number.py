"""Returns one number for everything."""

SAYS = "summed or averaged into one number"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return -(weights * logarithms).sum()"),
]
