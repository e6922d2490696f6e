"""Takes the mean over all positions."""

SAYS = "padding counts in the number of labels"
CHANGES = [
    (
        "return losses.sum() / (~padding).sum().clamp(min=1)",
        "return losses.mean()",
    ),
]
