"""Does not hand on the generator."""

SAYS = "not used for all"
CHANGES = [
    ("key = torch.randn(num_samples, d_k, generator=generator)", "key = torch.randn(num_samples, d_k)"),
    ("query = torch.randn(num_samples, d_k, generator=generator)", "query = torch.randn(num_samples, d_k)"),
]
