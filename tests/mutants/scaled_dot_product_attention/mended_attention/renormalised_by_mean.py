"""Makes up for the lost share with the mean of the mask, which is right for equal weights only."""

SAYS = "share the whole weight"
CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "pass"),
    (
        "weights = torch.softmax(scores, dim=-1)",
        """weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask / mask.to(weights.dtype).mean(-1, keepdim=True)""",
    ),
]
