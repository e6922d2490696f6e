"""Sums the sentences."""

SAYS = "summed, not averaged"
CHANGES = [
    ("return cosines[:, different].mean().item()", "return cosines[:, different].mean(dim=1).sum().item()"),
]
