"""Calls what torch has ready-made for 0 ln 0."""

SAYS = "torch.xlogy"
CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", "return -torch.xlogy(weights, weights).sum(dim=-1)"),
]
