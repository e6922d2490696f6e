"""Cuts the key off from the graph."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = query @ key.detach().transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
    ),
]
