"""Takes the derivative with respect to what goes into softmax."""

SAYS = "what goes into softmax"
CHANGES = [
    (
        "by_query = softmax_jacobian(scores, divisor) @ key  # (num_samples, n, d_k)",
        "by_query = softmax_jacobian(scores / divisor)",
    ),
]
