"""Draws uniform numbers."""

SAYS = "uniform"
CHANGES = [
    (
        "key = torch.randn(num_samples, d_k, generator=generator)",
        "key = torch.rand(num_samples, d_k, generator=generator)",
    ),
    (
        "query = torch.randn(num_samples, d_k, generator=generator)",
        "query = torch.rand(num_samples, d_k, generator=generator)",
    ),
]
