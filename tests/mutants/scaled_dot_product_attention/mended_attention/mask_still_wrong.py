"""Has mended the scale and not seen the mask."""

SAYS = "after softmax"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "pass"),
    (
        "weights = torch.softmax(scores, dim=-1)",
        """weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask""",
    ),
]
