"""Multiplies -inf with 0."""

SAYS = "NaN"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores + (~mask) * -math.inf"),
]
