"""Carries the mean back."""

SAYS = "the mean of the result"
CHANGES = [
    (
        "gradients = iter(torch.autograd.grad(x, [each for own in parameters for each in own], upstream))",
        "gradients = iter(torch.autograd.grad(x.mean(), [each for own in parameters for each in own]))",
    ),
]
