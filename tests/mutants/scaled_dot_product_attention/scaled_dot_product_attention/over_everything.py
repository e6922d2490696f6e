"""Takes one softmax over all scores."""

SAYS = "over all elements"
CHANGES = [
    ("weights = softmax(scores)", "weights = torch.softmax(scores.flatten(), dim=0).view_as(scores)"),
]
