"""Averages the absolute entries."""

SAYS = "mean of the absolute numbers"
CHANGES = [
    (
        "return by_query.flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
        "return by_query.flatten(1).abs().mean(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
    ),
]
