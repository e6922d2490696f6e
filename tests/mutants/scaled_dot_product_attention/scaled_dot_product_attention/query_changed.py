"""Scales the caller's own query in place."""

SAYS = "works in place"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        """query /= math.sqrt(d_k)
    scores = query @ key.transpose(-2, -1)""",
    ),
]
