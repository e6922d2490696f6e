"""Answers one query after the other."""

CHANGES = [
    (
        "weights = softmax(scores)",
        "weights = torch.stack([softmax(scores[..., i, :]) for i in range(scores.shape[-2])], dim=-2)",
    ),
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        """rows = [(weights[..., i, :, None] * value).sum(-2) for i in range(weights.shape[-2])]
    return torch.stack(rows, dim=-2), weights""",
    ),
]
