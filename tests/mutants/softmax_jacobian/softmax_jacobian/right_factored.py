"""Takes p_i out of both terms."""

CHANGES = [
    (
        "products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)",
        "identity = torch.eye(scores.shape[-1], dtype=scores.dtype)",
    ),
    (
        "return (torch.diag_embed(weights) - products) / scale",
        "return weights.unsqueeze(-1) * (identity - weights.unsqueeze(-2)) / scale",
    ),
]
