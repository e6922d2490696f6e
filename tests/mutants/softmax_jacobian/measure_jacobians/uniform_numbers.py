"""Draws uniform numbers."""

SAYS = "the numbers are uniform"
CHANGES = [
    (
        "query, key = torch.randn(num_samples, 1, d_k), torch.randn(num_samples, n, d_k)",
        "query, key = torch.rand(num_samples, 1, d_k), torch.rand(num_samples, n, d_k)",
    ),
]
