"""Subtracts the plain mean of the gradient."""

SAYS = "plain mean of the gradient"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = grad_weights.mean(dim=-1, keepdim=True)",
    ),
]
