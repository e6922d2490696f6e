"""Cuts the graph."""

SAYS = "no gradient flows"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        """weights = weights.detach()
    logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0""",
    ),
]
