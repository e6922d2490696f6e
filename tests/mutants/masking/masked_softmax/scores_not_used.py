"""Gives the same weight to all that is allowed."""

SAYS = "the scores are not used"
CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        "return (mask / mask.sum(-1, keepdim=True)).expand_as(scores).to(scores.dtype)",
    ),
]
