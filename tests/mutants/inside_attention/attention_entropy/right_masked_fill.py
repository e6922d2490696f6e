"""Fills the zeros of a copy with 1."""

CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        "logarithms = weights.masked_fill(weights == 0, 1.0).log()",
    ),
]
