"""Sums over the dimension before the last."""

SAYS = "before the last (dim -2)"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = (grad_weights * weights).sum(dim=-2 if weights.dim() > 1 else -1, keepdim=True)",
    ),
]
