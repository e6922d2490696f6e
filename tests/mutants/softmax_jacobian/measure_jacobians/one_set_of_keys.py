"""Lets all queries share the keys."""

SAYS = "share one set of keys"
CHANGES = [
    (
        "query, key = torch.randn(num_samples, 1, d_k), torch.randn(num_samples, n, d_k)",
        "query, key = torch.randn(num_samples, 1, d_k), torch.randn(1, n, d_k).expand(num_samples, n, d_k)",
    ),
]
