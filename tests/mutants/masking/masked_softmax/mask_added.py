"""Adds the mask as 0 and 1."""

SAYS = "added to the scores, as 0 and 1"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores + mask"),
]
