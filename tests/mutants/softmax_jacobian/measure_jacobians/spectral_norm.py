"""Takes the largest singular value."""

SAYS = "singular value"
CHANGES = [
    (
        "return by_query.flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
        "return torch.linalg.matrix_norm(by_query, ord=2), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
    ),
]
