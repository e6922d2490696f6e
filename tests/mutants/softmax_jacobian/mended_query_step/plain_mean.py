"""Subtracts the plain mean."""

SAYS = "not right"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - weights @ grad_weights)  # (n,)",
        "grad_scores = weights * (grad_weights - grad_weights.mean())",
    ),
]
