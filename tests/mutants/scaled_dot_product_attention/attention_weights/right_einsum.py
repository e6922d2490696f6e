"""Writes the product as a sum over named indices."""

CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = torch.einsum('...md,...nd->...mn', query, key) * d_k**-0.5",
    ),
]
