"""Leaves torch on the way."""

SAYS = "no gradient flows"
CHANGES = [
    (
        "(keys * query.unsqueeze(1)).sum(dim=-1",
        "torch.tensor([[float(key @ one) for key in row] for row, one in zip(keys, query)], dtype=keys.dtype",
    ),
]
