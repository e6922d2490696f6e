"""Returns a copy without a graph."""

SAYS = "`.detach()`"
CHANGES = [
    (
        "return losses.sum() / (~padding).sum().clamp(min=1)",
        "return losses.sum().detach() / (~padding).sum().clamp(min=1)",
    ),
]
