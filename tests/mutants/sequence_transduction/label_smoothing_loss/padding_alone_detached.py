"""Returns a new 0 for padding alone, without a graph."""

SAYS = "no gradient flows"
CHANGES = [
    (
        "    return losses.sum() / (~padding).sum().clamp(min=1)",
        """    if padding.all():
        return logits.new_zeros(())
    return losses.sum() / (~padding).sum().clamp(min=1)""",
    ),
]
