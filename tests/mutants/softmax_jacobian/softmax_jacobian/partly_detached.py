"""Cuts one of the factors off from the graph."""

SAYS = "cut off from the graph"
CHANGES = [
    (
        "products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)",
        "products = weights.detach().unsqueeze(-1) * weights.unsqueeze(-2)",
    ),
]
