"""Inverts the caller's mask."""

SAYS = "works in place"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(mask.logical_not_(), -math.inf)"),
]
