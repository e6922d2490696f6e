"""Takes the first dimension for d_k."""

SAYS = "square root of the batch size"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[0])",
    ),
]
