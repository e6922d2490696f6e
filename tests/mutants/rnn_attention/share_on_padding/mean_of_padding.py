"""Takes the mean over the weights on padding."""

SAYS = "over the weights on padding"
CHANGES = [
    (
        "return (weights * padding.unsqueeze(1)).sum(dim=-1).mean().item()",
        "return weights.transpose(1, 2)[padding].mean().item()",
    ),
]
