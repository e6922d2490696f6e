"""Forgets the division on the way back."""

SAYS = "division by scale is missing"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - average) / scale  # (..., m, n), those before the division",
        "grad_scores = weights * (grad_weights - average)  # (..., m, n), those before the division",
    ),
]
