"""Takes the weights for scores."""

SAYS = "softmax is applied once more"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        """weights = torch.softmax(weights, dim=-1)
    logarithms = weights.log()""",
    ),
]
