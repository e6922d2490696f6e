"""Takes a distance for a similarity."""

SAYS = "a squared distance"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return (keys - query.unsqueeze(1)).square().sum(dim=-1)",
    ),
]
