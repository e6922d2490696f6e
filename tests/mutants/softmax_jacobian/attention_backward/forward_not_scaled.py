"""Forgets the scale on the way forward."""

SAYS = "not divided by `scale` before softmax"
CHANGES = [
    (
        "weights = torch.softmax(query @ key.transpose(-2, -1) / scale, dim=-1)  # (..., m, n)",
        "weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)  # (..., m, n)",
    ),
]
