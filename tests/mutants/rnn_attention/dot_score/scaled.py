"""Divides by sqrt(d), as in a Transformer."""

SAYS = "as in a Transformer"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return (keys * query.unsqueeze(1)).sum(dim=-1) / query.shape[1] ** 0.5",
    ),
]
