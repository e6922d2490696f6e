"""Hides what is real."""

SAYS = "the wrong way round"
CHANGES = [
    (
        "scores = score(hidden, memory).masked_fill(~mask, -math.inf)",
        "scores = score(hidden, memory).masked_fill(mask, -math.inf)",
    ),
    (
        "weights = torch.softmax(scores, dim=-1)",
        "weights = torch.softmax(scores, dim=-1).nan_to_num()",
    ),
]
