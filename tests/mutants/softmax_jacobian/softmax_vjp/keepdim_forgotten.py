"""Drops the dimension that should broadcast."""

SAYS = "shapes that do not fit"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = (grad_weights * weights).sum(dim=-1)",
    ),
]
