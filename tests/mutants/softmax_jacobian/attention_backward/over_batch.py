"""Sums the average over the first dimension."""

SAYS = "not right"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., m, 1)",
        "average = (grad_weights * weights).sum(dim=0, keepdim=True)",
    ),
]
