"""Divides by the sum of the weights, to be safe, and gets NaN for a row of zeros."""

SAYS = "NaN"
CHANGES = [
    (
        "average = (grad_weights * weights).sum(dim=-1, keepdim=True)  # (..., 1)",
        "average = (grad_weights * weights).sum(-1, keepdim=True) / weights.sum(-1, keepdim=True)",
    ),
]
