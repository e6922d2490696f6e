"""Takes softmax of the masked weights once more."""

SAYS = "softmax is taken twice"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "return softmax(softmax(scores) * mask)"),
]
