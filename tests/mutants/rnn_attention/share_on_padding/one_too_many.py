"""Takes the last real word for padding."""

SAYS = "the last real word is taken"
CHANGES = [
    (
        "padding = torch.arange(weights.shape[-1]) >= lengths.unsqueeze(1)",
        "padding = torch.arange(weights.shape[-1]) >= lengths.unsqueeze(1) - 1",
    ),
]
