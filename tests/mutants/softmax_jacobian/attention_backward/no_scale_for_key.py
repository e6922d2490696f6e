"""Divides in the gradient of the query, not in that of the key."""

SAYS = "grad_key"
CHANGES = [
    (
        "return grad_scores @ key, grad_scores.transpose(-2, -1) @ query, grad_value",
        "return grad_scores @ key, (grad_scores * scale).transpose(-2, -1) @ query, grad_value",
    ),
]
