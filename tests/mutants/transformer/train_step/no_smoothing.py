"""Does not smooth."""

SAYS = "`smoothing` is not used"
CHANGES = [
    ("labels, smoothing)", "labels, 0.0)"),
]
