"""Divides by the number of sentences."""

SAYS = "over the target words the sum"
CHANGES = [
    (
        "return (weights * padding.unsqueeze(1)).sum(dim=-1).mean().item()",
        "return (weights * padding.unsqueeze(1)).sum(dim=(1, 2)).mean().item()",
    ),
]
