"""Multiplies with the weights and stops: the average is missing."""

SAYS = "the average that is subtracted, is missing"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - average) / scale  # (..., m, n), those before the division",
        "grad_scores = weights * (grad_weights) / scale  # (..., m, n), those before the division",
    ),
]
