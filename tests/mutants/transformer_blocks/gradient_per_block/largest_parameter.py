"""Takes the longest gradient of a block."""

SAYS = "only the largest"
CHANGES = [
    (
        "return [torch.cat([next(gradients).flatten() for _ in own]).norm().item() for own in parameters]",
        "return [max(next(gradients).norm().item() for _ in own) for own in parameters]",
    ),
]
