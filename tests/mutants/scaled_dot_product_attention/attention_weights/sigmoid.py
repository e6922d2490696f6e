"""Lets each key be attended to on its own."""

SAYS = "sigmoid in the place"
CHANGES = [
    ("return softmax(scores)", "return torch.sigmoid(scores)"),
]
