"""Uses torch.bmm, which knows one batch dimension and no other."""

SAYS = "three leading dimensions"
CHANGES = [
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., m, n)",
        "scores = (torch.bmm(query, key.transpose(-2, -1)) if query.dim() == key.dim() == 3 else query.reshape(-1, *query.shape[-2:])[:1] @ key.reshape(-1, *key.shape[-2:])[:1].transpose(-2, -1) if query.dim() > 3 else query @ key.transpose(-2, -1)) / math.sqrt(d_k)",
    ),
]
