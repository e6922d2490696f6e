"""Writes softmax without subtracting the maximum."""

SAYS = "NaN"
CHANGES = [
    (
        "weights = torch.softmax(query @ key.transpose(-2, -1) / scale, dim=-1)  # (..., m, n)",
        """weights = (query @ key.transpose(-2, -1) / scale).exp()
    weights = weights / weights.sum(-1, keepdim=True)""",
    ),
]
