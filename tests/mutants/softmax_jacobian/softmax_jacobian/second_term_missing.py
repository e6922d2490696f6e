"""Leaves out that all weights share one sum."""

SAYS = "the second term"
CHANGES = [
    ("return (torch.diag_embed(weights) - products) / scale", "return torch.diag_embed(weights) / scale"),
    ("products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)", ""),
]
