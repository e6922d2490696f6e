"""Uses p (1 - p)."""

SAYS = "only the diagonal"
CHANGES = [
    (
        "by_query = softmax_jacobian(scores, divisor) @ key  # (num_samples, n, d_k)",
        """p = torch.softmax(scores / divisor, dim=-1)
    by_query = torch.diag_embed(p * (1 - p)) @ key / divisor""",
    ),
]
