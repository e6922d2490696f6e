"""Calls softmax_vjp of task 3."""

CHANGES = [
    (
        "grad_scores = weights * (grad_weights - average) / scale  # (..., m, n), those before the division",
        "grad_scores = softmax_vjp(weights, grad_weights) / scale",
    ),
]
