"""Takes a tolerance that small leaks pass under."""

SAYS = "misses pairs"
CHANGES = [
    ("tolerance = 1e-8", "tolerance = 1e-3"),
]
