"""Returns a tensor."""

SAYS = "a list of"
CHANGES = [
    ("return drops", "return torch.tensor(drops)"),
]
