"""Takes the mean over the columns too."""

SAYS = "over the columns too"
CHANGES = [
    (
        "return (weights * padding.unsqueeze(1)).sum(dim=-1).mean().item()",
        "return (weights * padding.unsqueeze(1)).mean().item()",
    ),
]
