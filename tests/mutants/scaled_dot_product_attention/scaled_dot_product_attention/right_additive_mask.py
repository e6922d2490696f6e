"""Turns the mask into 0 and -inf and adds it to the scores."""

CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        """bias = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)
        scores = scores + bias""",
    ),
]
