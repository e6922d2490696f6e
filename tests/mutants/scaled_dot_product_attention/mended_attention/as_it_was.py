"""Has copied the function without a change."""

SAYS = "square root of the value's width"
CHANGES = [
    ("scores = scores / math.sqrt(query.shape[-1])", "scores = scores / math.sqrt(value.shape[-1])"),
    ("scores = scores.masked_fill(~mask, -math.inf)", "pass"),
    (
        "weights = torch.softmax(scores, dim=-1)",
        "weights = torch.softmax(scores, dim=-1)\n    if mask is not None:\n        weights = weights * mask",
    ),
]
