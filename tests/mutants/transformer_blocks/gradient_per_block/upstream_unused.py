"""Carries the sum back."""

SAYS = "the sum of the result"
CHANGES = [
    (
        "gradients = iter(torch.autograd.grad(x, [each for own in parameters for each in own], upstream))",
        "gradients = iter(torch.autograd.grad(x.sum(), [each for own in parameters for each in own]))",
    ),
]
