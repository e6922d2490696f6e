"""Finds the division, and not the wrong dimension."""

SAYS = "added along the batch"
CHANGES = [
    ("positions = encoding[: tokens.shape[1]]", "positions = encoding[: tokens.shape[0]].unsqueeze(1)"),
]
