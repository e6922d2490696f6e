"""Lets each key be attended to on its own."""

SAYS = "sigmoid in the place"
CHANGES = [
    ("weights = softmax(scores)", "weights = torch.sigmoid(scores)"),
]
