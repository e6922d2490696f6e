"""Multiplies the scores by the mask: 0 times a score is 0, and e^0 is 1."""

SAYS = "multiplied into the scores"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores * mask"),
]
