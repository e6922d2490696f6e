"""Multiplies key by query, so that rows are keys."""

SAYS = "change places"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = key @ query.transpose(-2, -1) / math.sqrt(d_k)",
    ),
]
