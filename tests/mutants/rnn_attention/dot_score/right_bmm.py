"""Multiplies a row with a matrix for each sentence."""

CHANGES = [
    (
        "return (keys * query.unsqueeze(1)).sum(dim=-1)",
        "return torch.bmm(query.unsqueeze(1), keys.transpose(1, 2)).squeeze(1)",
    ),
]
