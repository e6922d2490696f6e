"""Takes the first word of the padding for real."""

SAYS = "is taken for real"
CHANGES = [
    (
        "padding = torch.arange(weights.shape[-1]) >= lengths.unsqueeze(1)",
        "padding = torch.arange(weights.shape[-1]) > lengths.unsqueeze(1)",
    ),
]
