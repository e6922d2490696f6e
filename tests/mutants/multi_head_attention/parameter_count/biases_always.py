"""Counts biases that are not there."""

SAYS = "although there are none"
CHANGES = [
    ("4 * d_model * (d_model + int(bias))", "4 * d_model * (d_model + 1)"),
]
