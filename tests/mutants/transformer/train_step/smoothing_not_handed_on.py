"""Smooths by 0.1 always."""

SAYS = "`smoothing` is not handed on"
CHANGES = [
    ("labels, smoothing)", "labels)"),
]
