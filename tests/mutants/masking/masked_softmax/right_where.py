"""Chooses between score and -inf with torch.where."""

CHANGES = [
    ("scores = scores.masked_fill(~mask, -math.inf)", "scores = torch.where(mask, scores, -math.inf)"),
]
