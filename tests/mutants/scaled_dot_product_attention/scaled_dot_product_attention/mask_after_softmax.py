"""Sets hidden weights to 0 when they have been shared out already."""

SAYS = "applied after softmax"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "pass"),
    (
        "weights = softmax(scores)",
        """weights = softmax(scores)
    if mask is not None:
        weights = weights * mask""",
    ),
]
