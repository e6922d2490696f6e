"""Freezes the weights that it touches, and leaves them so."""

SAYS = "a mode that was changed"
CHANGES = [
    (
        "original = weight.detach().clone()",
        """weight.requires_grad_(False)
        original = weight.detach().clone()""",
    ),
]
