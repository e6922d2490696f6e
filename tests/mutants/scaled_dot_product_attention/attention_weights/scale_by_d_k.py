"""Divides by d_k, the number of terms of the sum."""

SAYS = "divided by d_k, not"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.transpose(-2, -1) / d_k",
    ),
]
