"""Takes the number of keys for d_k."""

SAYS = "square root of the number of keys"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-2])",
    ),
]
