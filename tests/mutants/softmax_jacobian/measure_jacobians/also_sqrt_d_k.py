"""Divides by sqrt(d_k) as well, as attention does."""

SAYS = "and by sqrt(d_k)"
CHANGES = [
    ("scores = (query * key).sum(dim=-1)  # (num_samples, n)", "scores = (query * key).sum(dim=-1) / d_k**0.5"),
]
