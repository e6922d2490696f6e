"""Leaves the dimension of size 1."""

SAYS = "left over from the product"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return keys @ query.unsqueeze(-1)",
    ),
]
