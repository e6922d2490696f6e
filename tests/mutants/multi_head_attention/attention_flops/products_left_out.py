"""Believes that the projections are all the work."""

SAYS = "two matrix products of attention are left out"
CHANGES = [
    ("projections + products", "projections"),
]
