"""Sums over the first dimension."""

SAYS = "over the first dimension (dim 0)"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = (grad_weights * weights).sum(dim=0, keepdim=True)",
    ),
]
