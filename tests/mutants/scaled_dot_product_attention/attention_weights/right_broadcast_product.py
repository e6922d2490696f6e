"""Multiplies entry by entry and sums, without a matrix product."""

CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1) / d_k**0.5",
    ),
]
