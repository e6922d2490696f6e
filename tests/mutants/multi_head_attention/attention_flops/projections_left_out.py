"""Believes that attention costs n squared and nothing else."""

SAYS = "four projections are left out"
CHANGES = [
    ("projections + products", "products"),
]
