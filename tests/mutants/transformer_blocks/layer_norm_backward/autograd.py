"""Calls autograd."""

SAYS = "your code called"
CHANGES = [
    (
        "return (scaled - scaled.mean(-1, keepdim=True) - normal * along) / deviation",
        """y = (x.requires_grad_() - x.mean(-1, keepdim=True))
    y = y / (y.square().mean(-1, keepdim=True) + eps).sqrt() * weight
    return torch.autograd.grad(y, x, grad_output)[0]""",
    ),
]
