"""Scales by the square root of the square root."""

SAYS = "root is taken twice"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.transpose(-2, -1) / math.sqrt(math.sqrt(d_k))",
    ),
]
