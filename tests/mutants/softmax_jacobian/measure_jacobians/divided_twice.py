"""Divides once more at the end."""

SAYS = "it is divided by `divisor` twice"
CHANGES = [
    (
        "return by_query.flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
        "return (by_query / divisor).flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
    ),
]
