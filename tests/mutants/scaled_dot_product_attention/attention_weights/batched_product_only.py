"""Uses torch.bmm, which knows one batch dimension and no other."""

SAYS = "a dimension was summed away"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        """if query.dim() > 3 and key.dim() > 3:
        query, key = query.flatten(0, -3), key.flatten(0, -3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)""",
    ),
]
