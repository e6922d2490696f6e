"""Counts the positions."""

SAYS = "positions are counted"
CHANGES = [
    (
        "return (weights * padding.unsqueeze(1)).sum(dim=-1).mean().item()",
        "return padding.double().mean().item()",
    ),
]
