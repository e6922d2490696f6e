"""Adds a mask of 0 and -inf, so that a hidden score of NaN or infinity stays."""

SAYS = "NaN"
CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        "scores = scores + torch.zeros_like(scores).masked_fill(~mask, -math.inf)",
    ),
]
