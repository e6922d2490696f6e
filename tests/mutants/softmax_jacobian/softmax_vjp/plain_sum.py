"""Subtracts the sum of the gradient."""

SAYS = "sum of the gradient is subtracted"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = grad_weights.sum(dim=-1, keepdim=True)",
    ),
]
