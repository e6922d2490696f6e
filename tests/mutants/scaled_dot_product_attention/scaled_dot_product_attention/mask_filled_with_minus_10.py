"""Takes -10 for minus infinity."""

SAYS = "(-10)"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(~mask, -10.0)"),
]
