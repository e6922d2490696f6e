"""Believes that True means `hide`."""

SAYS = "(inverted)"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = scores.masked_fill(mask, -math.inf)"),
]
