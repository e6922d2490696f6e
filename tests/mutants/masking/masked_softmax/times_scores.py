"""Multiplies the scores with the mask."""

SAYS = "multiplied into the scores"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores * mask"),
]
