"""Divides by sqrt(d_k), whatever the argument says."""

SAYS = "not by the argument `scale`"
CHANGES = [
    (
        "weights = torch.softmax(query @ key.transpose(-2, -1) / scale, dim=-1)  # (..., m, n)",
        """scale = query.shape[-1] ** 0.5
    weights = torch.softmax(query @ key.transpose(-2, -1) / scale, dim=-1)""",
    ),
]
