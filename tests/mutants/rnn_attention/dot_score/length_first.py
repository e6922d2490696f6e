"""Puts the length into the first dimension."""

SAYS = "length stands in the first dimension"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return (keys * query.unsqueeze(1)).sum(dim=-1).T",
    ),
]
