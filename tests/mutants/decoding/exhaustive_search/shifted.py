"""Scores each word with the position after it."""

SAYS = "shifted against"
CHANGES = [("F.pad(labels[:, :-1], (1, 0), value=BOS)", "labels")]
