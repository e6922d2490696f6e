"""Mends the softmax only."""

SAYS = "its length is not"
CHANGES = [
    ("grad_query = grad_scores @ key / scale  # (d_k,)", "grad_query = grad_scores @ key"),
]
