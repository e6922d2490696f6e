"""Returns p (1 - p), the derivative of a sigmoid."""

SAYS = "that of the scores"
CHANGES = [
    ("return (torch.diag_embed(weights) - products) / scale", "return weights * (1 - weights) / scale"),
    ("products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)", ""),
]
