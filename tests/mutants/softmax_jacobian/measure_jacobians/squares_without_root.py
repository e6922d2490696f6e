"""Forgets the root."""

SAYS = "without the root"
CHANGES = [
    (
        "return by_query.flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
        "return by_query.flatten(1).square().sum(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
    ),
]
