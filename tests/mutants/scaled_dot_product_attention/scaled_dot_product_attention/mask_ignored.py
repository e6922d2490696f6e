"""Takes a mask and does nothing with it."""

SAYS = "mask is not used"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "pass"),
]
