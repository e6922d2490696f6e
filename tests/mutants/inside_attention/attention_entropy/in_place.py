"""Writes into the weights."""

SAYS = "works in place"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        """with torch.no_grad():
        weights[weights == 0] = 1.0
    logarithms = weights.log()""",
    ),
]
