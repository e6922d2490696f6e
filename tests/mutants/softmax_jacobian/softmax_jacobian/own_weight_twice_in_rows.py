"""Multiplies each weight with itself, by broadcasting the same row twice."""

SAYS = "above and below it in a column"
CHANGES = [
    (
        "products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)",
        "products = weights.unsqueeze(-2) * weights.unsqueeze(-2)",
    ),
]
