"""Scales the caller's own query."""

SAYS = "works in place"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        """query /= math.sqrt(d_k)
    scores = query @ key.transpose(-2, -1)""",
    ),
]
