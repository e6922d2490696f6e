"""Divides the gradient of the scores."""

CHANGES = [
    (
        "grad_scores = weights * (grad_weights - weights @ grad_weights)  # (n,)",
        "grad_scores = weights * (grad_weights - (weights * grad_weights).sum()) / scale",
    ),
    ("grad_query = grad_scores @ key / scale  # (d_k,)", "grad_query = key.T @ grad_scores"),
]
