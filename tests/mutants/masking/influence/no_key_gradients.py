"""Takes gradients through values alone."""

SAYS = "the gradient through keys is not looked at"
CHANGES = [
    (
        "gradients = torch.autograd.grad(output[i].sum(), (key, value), retain_graph=True, allow_unused=True)",
        "gradients = torch.autograd.grad(output[i].sum(), (value,), retain_graph=True, allow_unused=True)",
    ),
]
