"""Believes that every attention uses its keys."""

SAYS = "it raised RuntimeError"
CHANGES = [
    (
        "gradients = torch.autograd.grad(output[i].sum(), (key, value), retain_graph=True, allow_unused=True)",
        "gradients = torch.autograd.grad(output[i].sum(), (key, value), retain_graph=True)",
    ),
]
