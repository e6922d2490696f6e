"""Sums over keys with einsum."""

CHANGES = [
    ("return -(weights * logarithms).sum(dim=-1)", 'return -torch.einsum("...n,...n->...", weights, logarithms)'),
]
