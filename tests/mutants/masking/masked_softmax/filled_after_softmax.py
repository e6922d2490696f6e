"""Fills the weights with -inf."""

SAYS = "-inf is filled in after softmax"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "return softmax(scores).masked_fill(~mask, -math.inf)"),
]
