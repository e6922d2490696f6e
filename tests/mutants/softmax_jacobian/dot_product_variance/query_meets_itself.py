"""Uses the query for the key."""

SAYS = "each query meets itself"
CHANGES = [
    ("key = torch.randn(num_samples, d_k, generator=generator)", "key = query"),
]
