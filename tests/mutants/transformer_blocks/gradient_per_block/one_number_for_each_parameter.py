"""Lists every parameter on its own."""

SAYS = "one number for each parameter"
CHANGES = [
    (
        "return [torch.cat([next(gradients).flatten() for _ in own]).norm().item() for own in parameters]",
        "return [each.norm().item() for each in gradients]",
    ),
]
