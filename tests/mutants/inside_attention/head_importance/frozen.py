"""Freezes the weights that it touches, and leaves them so."""

SAYS = "`requires_grad_()` was called"
CHANGES = [
    (
        "original = weight.detach().clone()",
        """weight.requires_grad_(False)
        original = weight.detach().clone()""",
    ),
]
