"""Returns softmax of the scores."""

SAYS = "these are weights, not scores"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return (keys * query.unsqueeze(1)).sum(dim=-1).softmax(dim=-1)",
    ),
]
