"""Takes softmax over the queries."""

SAYS = "not right"
CHANGES = [
    ("return softmax(scores)", "return torch.softmax(scores, -2 if scores.dim() > 1 else -1)"),
]
