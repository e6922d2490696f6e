"""Believes that the newer order is the default."""

SAYS = "it is the order of norm_first=True"
CHANGES = [
    ("norm_first: bool = False", "norm_first: bool = True"),
]
