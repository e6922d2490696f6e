"""Multiplies where the formula divides."""

SAYS = "multiplied by sqrt(d_k)"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.transpose(-2, -1) * math.sqrt(d_k)",
    ),
]
