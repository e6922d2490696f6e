"""Sums over the words."""

SAYS = "a sum over the wrong dimension"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return (keys * query.unsqueeze(1)).sum(dim=1)",
    ),
]
