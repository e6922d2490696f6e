"""Returns a tensor."""

SAYS = "still a tensor"
CHANGES = [
    (
        "return (weights * padding.unsqueeze(1)).sum(dim=-1).mean().item()",
        "return (weights * padding.unsqueeze(1)).sum(dim=-1).mean()",
    ),
]
