"""Cuts the graph at the logarithm."""

SAYS = "the logarithm is cut off"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        "logarithms = torch.where(weights > 0, weights, 1.0).log().detach()  # ln 1 = 0 in the place of ln 0",
    ),
]
