"""Subtracts the plain mean."""

SAYS = "the plain mean is subtracted"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., m, 1)",
        "average = grad_weights.mean(dim=-1, keepdim=True)",
    ),
]
