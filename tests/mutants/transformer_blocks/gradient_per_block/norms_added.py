"""Adds up the lengths of the single gradients."""

SAYS = "norms do not"
CHANGES = [
    (
        "return [torch.cat([next(gradients).flatten() for _ in own]).norm().item() for own in parameters]",
        "return [sum(next(gradients).norm().item() for _ in own) for own in parameters]",
    ),
]
