"""Takes dim 0 for the keys."""

SAYS = "over the first dimension"
CHANGES = [
    ("return softmax(scores)", "return torch.softmax(scores, dim=0)"),
]
