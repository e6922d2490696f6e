"""Fills the weights, not the scores, with -1e9."""

SAYS = "filled in after softmax"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "pass"),
    (
        "weights = softmax(scores)",
        """weights = softmax(scores)
    if mask is not None:
        weights = weights.masked_fill(~mask, -1e9)""",
    ),
]
