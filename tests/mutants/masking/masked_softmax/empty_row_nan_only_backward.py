"""Adds -inf and repairs the NaN after it has arisen, which leaves it in the gradient."""

SAYS = "hide a NaN"
CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        "scores = scores + torch.zeros_like(scores).masked_fill(~mask, -math.inf)",
    ),
    ("return softmax(scores)", "return torch.softmax(scores, -1).nan_to_num()"),
]
