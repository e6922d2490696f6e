"""Multiplies the losses of padding with 0, which is NaN for infinity."""

SAYS = "impossible words at padding"
CHANGES = [
    (
        "losses = losses.masked_fill(padding, 0.0)",
        "losses = losses * ~padding",
    ),
]
