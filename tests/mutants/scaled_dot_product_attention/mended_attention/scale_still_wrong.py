"""Has mended the mask and not seen the scale."""

SAYS = "square root of the value's width"
CHANGES = [
    ("scores = scores / math.sqrt(query.shape[-1])", "scores = scores / math.sqrt(value.shape[-1])"),
]
