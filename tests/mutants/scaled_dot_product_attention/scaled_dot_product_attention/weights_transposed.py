"""Multiplies with the transposed weights where the shapes allow it."""

SAYS = "transposed before the product"
CHANGES = [
    (
        "return weights @ value, weights  # (..., m, d_v), (..., m, n)",
        """shared = weights.transpose(-2, -1) if weights.shape[-1] == weights.shape[-2] else weights
    return shared @ value, weights""",
    ),
]
