"""Lets each key share itself out among the queries."""

SAYS = "over the queries"
CHANGES = [
    ("return softmax(scores)", "return torch.softmax(scores, dim=-2)"),
]
