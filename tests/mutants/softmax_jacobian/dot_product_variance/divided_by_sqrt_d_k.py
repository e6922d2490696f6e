"""Measures the scaled dot product."""

SAYS = "sqrt(d_k)"
CHANGES = [
    ("return (query * key).sum(dim=-1).var().item()", "return ((query * key).sum(dim=-1) / d_k**0.5).var().item()"),
]
