"""Takes one norm over all samples."""

SAME_AS = "one_number"
SAYS = "shape ()"
CHANGES = [
    (
        "return by_query.flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
        "return by_query.norm(), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
    ),
]
