"""Counts the weights alone."""

SAYS = "biases are left out"
CHANGES = [
    ("4 * d_model * (d_model + int(bias))", "4 * d_model * d_model"),
]
