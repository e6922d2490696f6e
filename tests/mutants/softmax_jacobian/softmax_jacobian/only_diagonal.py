"""Believes that a weight answers to its own score only."""

SAYS = "own score only"
CHANGES = [
    (
        "products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)",
        "products = torch.diag_embed(weights**2)",
    ),
]
