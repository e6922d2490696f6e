"""Lets empty rows attend to everything and sets them to zero afterwards, so that NaN never arises."""

CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        """some = mask.any(-1, keepdim=True)
        scores = torch.where(mask | ~some, scores, -math.inf)""",
    ),
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        """if mask is not None:
        weights = torch.where(some, weights, 0.0)
    return weights @ value, weights""",
    ),
]
