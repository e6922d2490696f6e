"""Returns d_k plus a little noise."""

SAYS = "not measured"
CHANGES = [
    ("return (query * key).sum(dim=-1).var().item()", "return d_k + 0.01 * torch.randn(1, generator=generator).item()"),
    ("query = torch.randn(num_samples, d_k, generator=generator)", ""),
    ("key = torch.randn(num_samples, d_k, generator=generator)", ""),
]
