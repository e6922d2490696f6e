"""Multiplies with a smoothing of 0 too, which is NaN for impossible words."""

SAYS = "impossible words, no smoothing"
CHANGES = [
    (
        "if smoothing > 0:",
        "if True:",
    ),
]
