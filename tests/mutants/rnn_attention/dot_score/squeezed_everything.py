"""Squeezes every dimension of size 1."""

SAYS = "of shape (1, 4)"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return (keys @ query.unsqueeze(-1)).squeeze()",
    ),
]
