"""Multiplies each weight with itself, by broadcasting the same column twice."""

SAYS = "each weight with itself"
CHANGES = [
    (
        "products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)",
        "products = weights.unsqueeze(-1) * weights.unsqueeze(-1)",
    ),
]
