"""Measures in bits."""

SAYS = "not that of 2"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        "logarithms = torch.where(weights > 0, weights, 1.0).log2()  # ln 1 = 0 in the place of ln 0",
    ),
]
