"""Compares place with place, not word with word."""

SAYS = "outputs of different words"
CHANGES = [
    ("(before[order] - after).abs().max().item()", "(before - after).abs().max().item()"),
]
