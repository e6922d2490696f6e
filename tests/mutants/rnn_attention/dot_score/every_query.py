"""Multiplies every query with all keys."""

SAYS = "every query is compared"
CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        'return torch.einsum("ad,bld->abl", query, keys)',
    ),
]
