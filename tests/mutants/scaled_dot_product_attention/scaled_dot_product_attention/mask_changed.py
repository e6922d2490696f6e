"""Turns the caller's own mask around in place."""

SAYS = "works in place"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(mask.logical_not_(), -math.inf)"),
]
