"""Inserts a dimension for the heads into a mask that already broadcasts."""

SAYS = "one for each head"
CHANGES = [
    (
        "scores = scores.masked_fill(~mask, -math.inf)",
        """mask = mask.unsqueeze(1) if mask.dim() == 3 and scores.dim() == 4 else mask
        scores = scores.masked_fill(~mask, -math.inf)""",
    ),
]
