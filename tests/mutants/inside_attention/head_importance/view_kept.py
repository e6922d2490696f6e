"""Keeps a view of the weight in the place of a copy."""

SAYS = "heads stay silent"
CHANGES = [
    ("original = weight.detach().clone()", "original = weight.detach()"),
]
