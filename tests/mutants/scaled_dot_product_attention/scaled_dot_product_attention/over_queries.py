"""Lets each key share itself out among the queries."""

SAYS = "over the queries"
CHANGES = [
    ("weights = softmax(scores)", "weights = torch.softmax(scores, dim=-2).nan_to_num(0.0)"),
]
