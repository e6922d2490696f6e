"""Leaves the division out."""

SAYS = "not divided by sqrt"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.transpose(-2, -1)",
    ),
]
