"""Hands on the generator to one of the two calls."""

SAME_AS = "generator_ignored"
SAYS = "not used for all"
CHANGES = [
    ("key = torch.randn(num_samples, d_k, generator=generator)", "key = torch.randn(num_samples, d_k)"),
]
