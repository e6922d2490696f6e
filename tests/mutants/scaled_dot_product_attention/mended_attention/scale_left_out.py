"""Takes the scale itself for the bug."""

SAYS = "not divided by sqrt"
CHANGES = [
    ("scores = scores / math.sqrt(query.shape[-1])", "scores = scores * 1"),
]
