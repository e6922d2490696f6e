"""Lists the last block first."""

SAYS = "begins with the last block"
CHANGES = [
    (
        "return [torch.cat([next(gradients).flatten() for _ in own]).norm().item() for own in parameters]",
        "return [torch.cat([next(gradients).flatten() for _ in own]).norm().item() for own in parameters][::-1]",
    ),
]
