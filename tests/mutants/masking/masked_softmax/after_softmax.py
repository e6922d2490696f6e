"""Applies the mask to the weights."""

SAYS = "the mask is applied after softmax"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "return softmax(scores) * mask"),
]
