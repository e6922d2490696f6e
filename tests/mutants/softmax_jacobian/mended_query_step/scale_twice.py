"""Divides by the scale at both places."""

SAYS = "the division by the scale is there twice"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - weights @ grad_weights)  # (n,)",
        "grad_scores = weights * (grad_weights - weights @ grad_weights) / scale",
    ),
]
