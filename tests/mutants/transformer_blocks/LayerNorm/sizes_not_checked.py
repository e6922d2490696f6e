"""Makes a norm of no features."""

SAYS = "d_model = 0"
CHANGES = [
    ("d_model < 1", "d_model < 0"),
]
