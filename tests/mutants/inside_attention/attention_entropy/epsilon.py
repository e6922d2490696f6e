"""Adds a small number before the logarithm."""

SAYS = "small number"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        "logarithms = (weights + 1e-9).log()",
    ),
]
