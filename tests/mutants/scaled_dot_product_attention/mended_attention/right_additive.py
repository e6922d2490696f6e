"""Adds a large negative number to hidden scores; rows without keys are no concern of this task."""

CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores + (~mask) * -1e9"),
]
