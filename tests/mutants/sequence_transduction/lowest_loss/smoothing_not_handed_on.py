"""Forgets to hand the smoothing on."""

SAYS = "has no smoothing"
CHANGES = [
    (
        "label, smoothing)",
        "label, 0.0)",
    ),
]
