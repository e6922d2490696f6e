"""Adds up all rows."""

SAYS = "not their mean"
CHANGES = [
    (
        "return (weights * padding.unsqueeze(1)).sum(dim=-1).mean().item()",
        "return (weights * padding.unsqueeze(1)).sum().item()",
    ),
]
