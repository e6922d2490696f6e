"""Mistakes 1e-9 for -1e9."""

SAYS = "(1e-09)"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(~mask, 1e-9)"),
]
