"""Raises small weights to a small number."""

SAYS = "raised to it"
CHANGES = [
    (
        "logarithms = torch.where(weights > 0, weights, 1.0).log()  # ln 1 = 0 in the place of ln 0",
        "logarithms = weights.clamp_min(1e-12).log()",
    ),
]
