"""Multiplies key by query, so that rows are keys."""

SAYS = "dimensions are exchanged"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = key @ query.transpose(-2, -1) / math.sqrt(d_k)",
    ),
]
