"""Adds a number that is not so small."""

SAYS = "epsilon"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        "logarithms = (weights + 1e-6).log()",
    ),
]
