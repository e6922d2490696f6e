"""Uses p (1 - p)."""

SAYS = "only the diagonal"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - average) / scale  # (..., m, n), those before the division",
        "grad_scores = weights * (1 - weights) * grad_weights / scale",
    ),
]
