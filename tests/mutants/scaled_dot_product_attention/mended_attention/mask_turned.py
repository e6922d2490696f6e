"""Turns the mask around in the belief that it was inverted."""

SAYS = "wrong way round"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(mask, -math.inf)"),
]
