"""Takes the decimal logarithm."""

SAYS = "not that of 10"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        "logarithms = torch.where(weights > 0, weights, 1.0).log10()  # ln 1 = 0 in the place of ln 0",
    ),
]
