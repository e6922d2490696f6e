"""Does not use num_samples."""

SAYS = "`num_samples` is not used"
CHANGES = [
    (
        "query = torch.randn(num_samples, d_k, generator=generator)",
        "query = torch.randn(10_000, d_k, generator=generator)",
    ),
    ("key = torch.randn(num_samples, d_k, generator=generator)", "key = torch.randn(10_000, d_k, generator=generator)"),
]
