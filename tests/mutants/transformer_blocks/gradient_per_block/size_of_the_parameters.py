"""Measures the parameters, not their gradients."""

SAYS = "of the parameters is taken"
CHANGES = [
    (
        "return [torch.cat([next(gradients).flatten() for _ in own]).norm().item() for own in parameters]",
        "return [torch.cat([each.flatten() for each in own]).norm().item() for own in parameters]",
    ),
]
