"""Drops the word with which the total passes p."""

SAYS = "the last one that stays"
CHANGES = [("before >= p", "before + probabilities > p")]
