"""Writes both products as sums over named indices."""

CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = torch.einsum('...id,...jd->...ij', query, key) / d_k**0.5",
    ),
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        "return torch.einsum('...ij,...jd->...id', weights, value), weights",
    ),
]
