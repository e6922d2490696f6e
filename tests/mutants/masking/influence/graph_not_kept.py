"""Asks for a second gradient of a graph that is gone."""

SAME_AS = "unused_not_allowed"
SAYS = "it raised RuntimeError"
CHANGES = [
    (
        "gradients = torch.autograd.grad(output[i].sum(), (key, value), retain_graph=True, allow_unused=True)",
        "gradients = torch.autograd.grad(output[i].sum(), (key, value), allow_unused=True)",
    ),
]
