"""Uses torch.diag and torch.outer, which know a single row."""

SAYS = "it raised RuntimeError"
CHANGES = [
    (
        "products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)",
        "products = torch.outer(weights, weights)",
    ),
    ("return (torch.diag_embed(weights) - products) / scale", "return (torch.diag(weights) - products) / scale"),
]
