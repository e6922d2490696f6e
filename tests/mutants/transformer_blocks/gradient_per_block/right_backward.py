"""Clears what was left, and calls backward."""

CHANGES = [
    (
        "gradients = iter(torch.autograd.grad(x, [each for own in parameters for each in own], upstream))",
        """for block in blocks:
        block.zero_grad()
    x.backward(upstream)""",
    ),
    (
        "return [torch.cat([next(gradients).flatten() for _ in own]).norm().item() for own in parameters]",
        "return [sum(each.grad.square().sum().item() for each in own) ** 0.5 for own in parameters]",
    ),
]
