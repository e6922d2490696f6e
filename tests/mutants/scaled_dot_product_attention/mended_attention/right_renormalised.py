"""Hides after softmax and divides each row by what is left of it, which is the same."""

CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "pass"),
    (
        "weights = torch.softmax(scores, dim=-1)",
        """weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True)""",
    ),
]
