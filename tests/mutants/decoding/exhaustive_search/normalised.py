"""Divides by the number of words."""

SAYS = "divided by the number of words"
CHANGES = [(".sum(dim=1)", ".sum(dim=1) / (labels != PAD).sum(dim=1)")]
