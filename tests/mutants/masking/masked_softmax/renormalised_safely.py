"""Applies the mask to the weights, and divides by what is left plus a small number."""

SAYS = "nearly right"
CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        """weights = softmax(scores) * mask
        return weights / (weights.sum(-1, keepdim=True) + 1e-5)""",
    ),
]
