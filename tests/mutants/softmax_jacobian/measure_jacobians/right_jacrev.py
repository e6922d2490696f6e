"""Lets torch differentiate."""

CHANGES = [
    (
        "by_query = softmax_jacobian(scores, divisor) @ key  # (num_samples, n, d_k)",
        """def weights(q, k):
        return torch.softmax(k @ q / divisor, dim=-1)

    by_query = torch.func.vmap(torch.func.jacrev(weights))(query[:, 0], key)""",
    ),
]
