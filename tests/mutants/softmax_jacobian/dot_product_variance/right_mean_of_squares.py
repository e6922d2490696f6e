"""Knows that the mean is 0 and averages the squares."""

CHANGES = [
    ("return (query * key).sum(dim=-1).var().item()", "return (query * key).sum(dim=-1).square().mean().item()"),
]
