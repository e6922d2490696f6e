"""Takes gradients through keys alone."""

SAYS = "the gradient through values is not looked at"
CHANGES = [
    (
        "gradients = torch.autograd.grad(output[i].sum(), (key, value), retain_graph=True, allow_unused=True)",
        "gradients = torch.autograd.grad(output[i].sum(), (key,), retain_graph=True, allow_unused=True)",
    ),
]
