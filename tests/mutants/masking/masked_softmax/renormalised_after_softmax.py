"""Applies the mask to the weights, and divides by what is left."""

SAYS = "nothing that is left can be divided up"
CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        """weights = softmax(scores) * mask
        return weights / weights.sum(-1, keepdim=True)""",
    ),
]
