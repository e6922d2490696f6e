"""Normalises query and key to length 1 in the place of scaling."""

SAYS = "(cosine)"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = torch.cosine_similarity(query.unsqueeze(-2), key.unsqueeze(-3), dim=-1)",
    ),
]
