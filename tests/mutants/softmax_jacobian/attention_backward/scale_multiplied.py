"""Multiplies with scale on the way back."""

SAYS = "multiplied with scale"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - average) / scale  # (..., m, n), those before the division",
        "grad_scores = weights * (grad_weights - average) * scale  # (..., m, n), those before the division",
    ),
]
