"""Subtracts the mean inside the variance only."""

SAYS = "for the variance alone"
CHANGES = [
    ("return centred", "return x"),
]
