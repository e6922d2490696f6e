"""Divides by scale in both gradients once more."""

SAYS = "divided by scale twice"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - average) / scale  # (..., m, n), those before the division",
        "grad_scores = weights * (grad_weights - average) / scale**2  # (..., m, n), those before the division",
    ),
]
