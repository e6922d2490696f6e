"""Scales the query before the product, as many libraries do."""

CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = (query / math.sqrt(d_k)) @ key.transpose(-1, -2)",
    ),
]
