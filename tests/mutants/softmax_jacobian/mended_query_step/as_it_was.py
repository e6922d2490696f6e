"""Changes nothing."""

SAYS = "both mistakes are still there"
CHANGES = [
    (
        "grad_scores = weights * (grad_weights - weights @ grad_weights)  # (n,)",
        "grad_scores = weights * (1 - weights) * grad_weights",
    ),
    ("grad_query = grad_scores @ key / scale  # (d_k,)", "grad_query = grad_scores @ key"),
]
