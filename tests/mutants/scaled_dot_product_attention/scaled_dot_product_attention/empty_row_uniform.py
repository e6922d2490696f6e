"""Hides with -1e9, so that a query without keys attends to all of them equally."""

SAYS = "large finite number"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(~mask, -1e9)"),
]
