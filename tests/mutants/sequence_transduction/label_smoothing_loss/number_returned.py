"""Returns a Python number."""

SAYS = "an object of type float"
CHANGES = [
    (
        "return losses.sum() / (~padding).sum().clamp(min=1)",
        "return (losses.sum() / (~padding).sum().clamp(min=1)).item()",
    ),
]
