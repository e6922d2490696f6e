"""Sets a seed, so that the number is always the same."""

SAYS = "a seed is set inside"
CHANGES = [
    (
        "query = torch.randn(num_samples, d_k, generator=generator)",
        """torch.manual_seed(0)
    query = torch.randn(num_samples, d_k)""",
    ),
    ("key = torch.randn(num_samples, d_k, generator=generator)", "key = torch.randn(num_samples, d_k)"),
]
