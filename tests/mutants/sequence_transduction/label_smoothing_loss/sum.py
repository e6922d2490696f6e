"""Returns the sum."""

SAYS = "the sum over all labels"
CHANGES = [
    (
        "return losses.sum() / (~padding).sum().clamp(min=1)",
        "return losses.sum()",
    ),
]
