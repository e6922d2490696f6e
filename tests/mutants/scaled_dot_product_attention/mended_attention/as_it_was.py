"""Has copied the function without a change."""

SAYS = "square root of the value's width"
SAME_AS = "scale_still_wrong"
CHANGES = [
    ("scores = scores / math.sqrt(query.shape[-1])", "scores = scores / math.sqrt(value.shape[-1])"),
    ("scores = scores.masked_fill(~mask, -math.inf)", "pass"),
    (
        "weights = torch.softmax(scores, dim=-1)",
        """weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask""",
    ),
]
