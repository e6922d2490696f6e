"""Misses the average and the scale."""

SAYS = "and so is the division by scale"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - average) / scale  # (..., m, n), those before the division",
        "grad_scores = weights * grad_weights",
    ),
]
