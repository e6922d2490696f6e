"""Takes the derivative with respect to the scores for that with respect to the query."""

SAYS = "the keys, through which they depend on q"
CHANGES = [
    (
        "by_query = softmax_jacobian(scores, divisor) @ key  # (num_samples, n, d_k)",
        "by_query = softmax_jacobian(scores, divisor)",
    ),
]
