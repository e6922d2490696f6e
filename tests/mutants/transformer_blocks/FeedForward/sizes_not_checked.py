"""Makes a network of no features."""

SAYS = "d_ff = 0"
CHANGES = [
    ("d_model < 1 or d_ff < 1", "d_model < 1"),
]
