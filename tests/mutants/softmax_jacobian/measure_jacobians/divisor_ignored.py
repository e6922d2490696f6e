"""Does not divide the scores."""

SAYS = "the scores are not divided"
CHANGES = [
    (
        "by_query = softmax_jacobian(scores, divisor) @ key  # (num_samples, n, d_k)",
        "by_query = softmax_jacobian(scores, 1.0) @ key  # (num_samples, n, d_k)",
    ),
    (
        "return by_query.flatten(1).norm(dim=-1), torch.softmax(scores / divisor, dim=-1).amax(dim=-1)",
        "return by_query.flatten(1).norm(dim=-1), torch.softmax(scores, dim=-1).amax(dim=-1)",
    ),
]
