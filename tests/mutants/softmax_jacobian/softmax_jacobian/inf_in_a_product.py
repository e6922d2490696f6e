"""Works with the scores where it should work with the weights."""

SAYS = "the scores themselves take part"
CHANGES = [
    (
        "products = weights.unsqueeze(-1) * weights.unsqueeze(-2)  # (..., n, n)",
        "products = weights.unsqueeze(-1) * weights.unsqueeze(-2) + 0 * scores.unsqueeze(-1)",
    ),
]
