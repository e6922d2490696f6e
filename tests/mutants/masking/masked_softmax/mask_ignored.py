"""Does not use the mask."""

SAYS = "the mask is not used"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "pass"),
]
