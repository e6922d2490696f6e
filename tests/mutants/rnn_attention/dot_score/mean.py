"""Takes the mean over d."""

SAYS = "the mean is taken"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return (keys * query.unsqueeze(1)).mean(dim=-1)",
    ),
]
