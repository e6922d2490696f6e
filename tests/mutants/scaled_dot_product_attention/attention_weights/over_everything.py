"""Takes one softmax over all scores."""

SAYS = "over all elements"
CHANGES = [
    ("return softmax(scores)", "return torch.softmax(scores.flatten(), dim=0).view_as(scores)"),
]
