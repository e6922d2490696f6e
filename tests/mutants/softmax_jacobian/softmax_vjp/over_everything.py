"""Sums over all rows."""

SAYS = "has no `dim`"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = (grad_weights * weights).sum()",
    ),
]
