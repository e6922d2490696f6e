"""Returns the largest score."""

SAYS = "these are not weights"
CHANGES = [
    (
        "return by_query.flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
        "return by_query.flatten(1).norm(dim=-1), scores.amax(dim=-1)",
    ),
]
