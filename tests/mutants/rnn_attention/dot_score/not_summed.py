"""Forgets the sum."""

SAYS = "the products are not summed"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return keys * query.unsqueeze(1)",
    ),
]
