"""Believes that softmax makes the columns sum to 1."""

SAYS = "over the queries"
CHANGES = [
    ("exponentials.sum(dim=-1, keepdim=True)", "exponentials.sum(dim=-2 if scores.dim() > 1 else -1, keepdim=True)"),
]
