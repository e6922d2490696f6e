"""Goes from the weights to the scores as if they were the same."""

SAYS = "step back through softmax is missing"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - average) / scale  # (..., m, n), those before the division",
        "grad_scores = grad_weights / scale",
    ),
]
