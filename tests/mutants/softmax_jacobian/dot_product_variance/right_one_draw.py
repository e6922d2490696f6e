"""Draws both at once, and takes a float of the variance."""

CHANGES = [
    (
        "query = torch.randn(num_samples, d_k, generator=generator)",
        "query, key = torch.randn(2, num_samples, d_k, generator=generator)",
    ),
    ("key = torch.randn(num_samples, d_k, generator=generator)", ""),
    (
        "return (query * key).sum(dim=-1).var().item()",
        "return float(torch.einsum('sd,sd->s', query, key).double().var(correction=0))",
    ),
]
