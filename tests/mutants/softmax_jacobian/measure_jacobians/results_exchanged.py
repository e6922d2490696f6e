"""Returns the largest weights first."""

SAYS = "two results change places"
CHANGES = [
    (
        "return by_query.flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
        "return torch.softmax(scores / divisor, dim=-1).amax(dim=-1), by_query.flatten(1).norm(dim=-1)",
    ),
]
