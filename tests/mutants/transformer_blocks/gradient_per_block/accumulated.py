"""Lets backward add to what earlier calls have left."""

SAYS = "backward() adds to it"
CHANGES = [
    (
        "gradients = iter(torch.autograd.grad(x, [each for own in parameters for each in own], upstream))",
        "x.backward(upstream)",
    ),
    (
        "return [torch.cat([next(gradients).flatten() for _ in own]).norm().item() for own in parameters]",
        "return [torch.cat([each.grad.flatten() for each in own]).norm().item() for own in parameters]",
    ),
]
