"""Fills in a number that is not small enough."""

SAYS = "(-10) is not small enough"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(~mask, -10.0)"),
]
