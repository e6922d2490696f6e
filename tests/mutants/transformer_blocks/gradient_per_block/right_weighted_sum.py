"""Makes one number of the result first."""

CHANGES = [
    (
        "gradients = iter(torch.autograd.grad(x, [each for own in parameters for each in own], upstream))",
        "gradients = iter(torch.autograd.grad((x * upstream).sum(), [each for own in parameters for each in own]))",
    ),
]
