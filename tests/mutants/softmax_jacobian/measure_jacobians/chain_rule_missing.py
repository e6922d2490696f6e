"""Forgets the division in the derivative."""

SAYS = "chain rule of the inner function"
CHANGES = [
    (
        "by_query = softmax_jacobian(scores, divisor) @ key  # (num_samples, n, d_k)",
        "by_query = softmax_jacobian(scores / divisor) @ key",
    ),
]
