"""Fills the matrix entry by entry."""

CHANGES = [
    (
        "return (torch.diag_embed(weights) - products) / scale",
        """flat = weights.reshape(-1, weights.shape[-1])
    n, rows = flat.shape[-1], []
    for p in flat:
        entries = [p[i] * ((1 if i == j else 0) - p[j]) / scale for i in range(n) for j in range(n)]
        rows.append(torch.stack(entries).reshape(n, n))
    if not rows:
        return torch.zeros(*scores.shape, n, dtype=scores.dtype)
    return torch.stack(rows).reshape(*scores.shape, n)""",
    ),
]
