"""Returns one loss for each sentence."""

SAYS = "one number for each sentence"
CHANGES = [
    (
        "return losses.sum() / (~padding).sum().clamp(min=1)",
        "return losses.sum(dim=-1) / (~padding).sum(dim=-1).clamp(min=1)",
    ),
]
