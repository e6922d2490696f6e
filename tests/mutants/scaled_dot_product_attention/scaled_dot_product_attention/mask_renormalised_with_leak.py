"""Adds the mask itself to the scores, as 0 and 1."""

SAYS = "the mask itself is added"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores + mask.to(scores.dtype)"),
]
