"""Divides by the number of target words."""

SAYS = "over the sentences the sum"
CHANGES = [
    (
        "return (weights * padding.unsqueeze(1)).sum(dim=-1).mean().item()",
        "return (weights * padding.unsqueeze(1)).sum(dim=-1).mean(dim=1).sum().item()",
    ),
]
