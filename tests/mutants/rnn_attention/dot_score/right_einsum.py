"""Names the dimensions."""

CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        'return torch.einsum("bd,bld->bl", query, keys)',
    ),
]
