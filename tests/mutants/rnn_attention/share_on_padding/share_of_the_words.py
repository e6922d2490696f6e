"""Adds up the real words."""

SAYS = "share of the real words"
CHANGES = [
    (
        "padding = torch.arange(weights.shape[-1]) >= lengths.unsqueeze(1)",
        "padding = torch.arange(weights.shape[-1]) < lengths.unsqueeze(1)",
    ),
]
