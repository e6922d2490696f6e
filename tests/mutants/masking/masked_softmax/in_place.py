"""Fills the caller's scores."""

SAYS = "works in place"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores.masked_fill_(~mask, -math.inf)"),
]
