"""Takes softmax over the dimension of the single query."""

SAYS = "dimension of size 1"
CHANGES = [
    (
        "weights = softmax(query @ key.transpose(-2, -1) / divisor)  # (1000, 1, 16)",
        "weights = torch.softmax(query @ key.transpose(-2, -1) / divisor, dim=-2)",
    ),
]
