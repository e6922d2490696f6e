"""Normalises query and key to length 1 in the place of scaling."""

SAYS = "(cosine)"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = torch.nn.functional.normalize(query, dim=-1) @ torch.nn.functional.normalize(key, dim=-1).transpose(-2, -1)",
    ),
]
