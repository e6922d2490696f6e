"""Fills in 0."""

SAME_AS = "times_scores"
SAYS = "(0) is not small enough"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(~mask, 0.0)"),
]
