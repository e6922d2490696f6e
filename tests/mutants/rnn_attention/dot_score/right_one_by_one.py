"""Multiplies sentence by sentence."""

CHANGES = [
    (
        "(keys * query.unsqueeze(1)).sum(dim=",
        "torch.stack([key @ one for key, one in zip(keys, query, strict=True)]) if len(keys) else keys.sum(",
    ),
]
