"""Mends the scale only."""

SAYS = "more than a diagonal"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - weights @ grad_weights)  # (n,)",
        "grad_scores = weights * (1 - weights) * grad_weights",
    ),
]
